/* loops.h. A block is in a loop if it can reach itself; its loop is what it reaches and what reaches it. */
#include "ptx/analysis/loops.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

typedef struct {
	const PtxCfg *cfg;
	PtxLoopVisit visit;
	void *data;
	VEC(uint32_t) open;
} Loops;

/* Marks in out what b can reach inside `within`, over at least one edge; b itself only if it can reach itself. */
static void reach(Loops *l, const bool *within, uint32_t b, bool back, bool *out) {
	memset(out, 0, l->cfg->nblocks * sizeof *out);
	vec_push(&l->open, b);
	while (l->open.len) {
		const PtxBlock *block = &l->cfg->blocks[l->open.data[--l->open.len]];
		const uint32_t *next = back ? block->pred : block->succ, n = back ? block->npred : block->nsucc;
		for (uint32_t k = 0; k < n; k++) {
			if (!within[next[k]] || out[next[k]]) continue;
			out[next[k]] = true;
			vec_push(&l->open, next[k]);
		}
	}
}

/* Loops are rarely nested more than a few deep; a text that nests them without end stops here. */
enum { DEEPEST = 16 };

/* The first block of a loop in the text is where a branch back leads to. */
static bool may_lead(const PtxCfg *cfg, const bool *within, uint32_t b) {
	for (uint32_t k = 0; k < cfg->blocks[b].npred; k++)
		if (cfg->blocks[b].pred[k] >= b && within[cfg->blocks[b].pred[k]]) return true;
	return false;
}

static void find(Loops *l, const bool *within, int depth) {
	const uint32_t n = l->cfg->nblocks;
	bool *left = xcalloc(n + 1, sizeof *left), *ahead = xcalloc(n + 1, sizeof *ahead),
		 *behind = xcalloc(n + 1, sizeof *behind);
	memcpy(left, within, n * sizeof *left);
	for (uint32_t b = 0; b < n; b++) {
		if (!left[b] || !may_lead(l->cfg, within, b)) continue;
		reach(l, within, b, false, ahead);
		if (!ahead[b]) continue;
		reach(l, within, b, true, behind);
		for (uint32_t k = 0; k < n; k++) {
			ahead[k] &= behind[k];
			if (ahead[k]) left[k] = false;
		}
		l->visit(l->data, ahead);
		ahead[b] = false; /* the first in the text, which leads the loop */
		if (depth < DEEPEST) find(l, ahead, depth + 1);
	}
	free(left);
	free(ahead);
	free(behind);
}

void ptx_each_loop(const PtxCfg *cfg, PtxLoopVisit visit, void *data) {
	Loops l = {.cfg = cfg, .visit = visit, .data = data};
	AUTO_FREE bool *all = xcalloc(cfg->nblocks + 1, sizeof *all);
	memset(all, true, cfg->nblocks * sizeof *all);
	find(&l, all, 0);
	vec_free(&l.open);
}
