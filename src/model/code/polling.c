#include "model/code/polling.h"

#include <stdlib.h>

#include "base/arena.h"
#include "ptx/analysis/loops.h"

static bool polls(const PtxInstr *in) {
	if (in->op == OP_MBARRIER) return in->mods & MOD_WAIT;
	if (in->op == OP_ATOM) return in->atomic == ATOM_CAS;
	return in->op == OP_LD && (in->sem == SEM_VOLATILE || in->sem == SEM_RELAXED || in->sem == SEM_ACQUIRE);
}

/* Has it no effect but on registers? */
static bool is_harmless(const PtxInstr *in) {
	switch (ptx_op_cost(in->op)) {
	case COST_MEMORY: return in->op == OP_LD || in->op == OP_LDU || in->op == OP_MEMBAR || in->op == OP_FENCE;
	case COST_ATOMIC: return polls(in);
	case COST_CONTROL: return in->op == OP_BRA || in->op == OP_NANOSLEEP;
	case COST_BARRIER: return polls(in);
	case COST_SHUFFLE:
	case COST_MATRIX: return false;
	default: return true;
	}
}

typedef struct {
	const PtxCfg *cfg;
	const bool *inside;
	uint32_t first, end; /* blocks: [first, end) */
	bool carried;        /* an iteration needs what the last one wrote */
	bool left;           /* and so does what follows the loop */
} Loop;

static bool is_live(const PtxCfg *cfg, const uint64_t *sets, uint32_t block, uint32_t reg) {
	return sets[(size_t)block * cfg->live_words + reg / 64] >> reg % 64 & 1;
}

static bool leaves(const Loop *l, uint32_t from, uint32_t to) {
	return l->inside[from] && !l->inside[to];
}

static bool enters_again(const Loop *l, uint32_t from, uint32_t to) {
	return l->inside[from] && l->inside[to] && to <= from;
}

static void look_whether_carried(void *data, uint32_t reg) {
	Loop *l = data;
	for (uint32_t b = l->first; b < l->end; b++)
		for (uint32_t k = 0; k < l->cfg->blocks[b].nsucc; k++) {
			const uint32_t to = l->cfg->blocks[b].succ[k];
			const bool live = is_live(l->cfg, l->cfg->live_in, to, reg);
			l->carried |= live && enters_again(l, b, to);
			l->left |= live && leaves(l, b, to);
		}
}

/* Registers that an iteration needs of the last one: none, or those of a wait with a time limit that nothing after it
 * needs. */
static bool needs_nothing(Loop *l, bool waits) {
	bool carried = false, needed = false;
	for (uint32_t i = l->cfg->blocks[l->first].first; i < l->cfg->blocks[l->end - 1].end; i++) {
		l->carried = l->left = false;
		ptx_each_written(&l->cfg->function->instrs[i], look_whether_carried, l);
		carried |= l->carried;
		needed |= l->carried && l->left;
	}
	return !carried || (waits && !needed);
}

static bool is_polling_loop(Loop *l) {
	bool any = false, waits = false;
	for (uint32_t i = l->cfg->blocks[l->first].first; i < l->cfg->blocks[l->end - 1].end; i++) {
		const PtxInstr *in = &l->cfg->function->instrs[i];
		if (!is_harmless(in)) return false;
		any |= polls(in);
		waits |= in->op == OP_MBARRIER;
	}
	return any && needs_nothing(l, waits);
}

static bool only_jumps(const PtxCfg *cfg, uint32_t block) {
	const PtxBlock *b = &cfg->blocks[block];
	return b->end == b->first + 1 && cfg->function->instrs[b->first].op == OP_BRA;
}

/* Between its first and its last block in the text are others of it, and jumps. */
static bool find_ends(Loop *l) {
	l->first = 0;
	l->end = l->cfg->nblocks;
	while (l->first < l->end && !l->inside[l->first]) l->first++;
	while (l->end > l->first && !l->inside[l->end - 1]) l->end--;
	for (uint32_t b = l->first; b < l->end; b++)
		if (!l->inside[b] && !only_jumps(l->cfg, b)) return false;
	return l->first < l->end;
}

typedef struct {
	const LaunchInfo *info;
	const PtxCfg *cfg;
	uint32_t first_instr; /* of the function */
	uint32_t *loops;
} Search;

static void look_at_loop(void *data, const bool *inside) {
	Search *s = data;
	Loop l = {.cfg = s->cfg, .inside = inside};
	if (!find_ends(&l) || !is_polling_loop(&l)) return;
	if (!s->loops) s->loops = xcalloc(s->info->ninstrs + 1, sizeof *s->loops);
	const uint32_t first = s->first_instr + s->cfg->blocks[l.first].first;
	for (uint32_t i = first; i < s->first_instr + s->cfg->blocks[l.end - 1].end; i++)
		if (!s->loops[i]) s->loops[i] = first + 1;
}

uint32_t *poll_loops(const LaunchInfo *info) {
	Search s = {.info = info};
	Arena *arena = arena_new();
	for (uint32_t f = 0; f < info->nfunctions; f++) {
		s.cfg = !f && info->cfg ? info->cfg : ptx_cfg(arena, info->functions[f]);
		s.first_instr = info->first[f];
		if (s.cfg) ptx_each_loop(s.cfg, look_at_loop, &s);
	}
	arena_free(arena);
	return s.loops;
}

/* What is kept of a warp's last access: the loop it was in, its instruction, whether the loop had been gone around. */
enum { THERE = 1, AGAIN = 2, INSTR_SHIFT = 2, LOOP_SHIFT = 32 };

bool poll_again(const uint32_t *loops, NumberMap *last, const Access *a, uint64_t *issued) {
	const uint64_t loop = loops[a->instr], key = (uint64_t)a->block << 32 | a->warp;
	if (!loop && !number_map_get(last, key)) return false;
	uint64_t *state = number_map_at(last, key);
	const bool here = loop && *state >> LOOP_SHIFT == loop;
	const bool again = here && (*state & AGAIN || a->instr <= (uint32_t)*state >> INSTR_SHIFT);
	*state = loop << LOOP_SHIFT | (uint64_t)a->instr << INSTR_SHIFT | (again ? AGAIN : 0) | THERE;
	for (uint32_t i = (uint32_t)loop - 1; loop && !here && loops[i] == loop; i++) issued[i]++;
	return again;
}
