/* Where diverged lanes meet before the immediate post-dominator, as in SASS: ptxas has a barrier of the warp (BSSY,
 * BSYNC) there, and lanes that go elsewhere leave it (BREAK).
 *
 *     switch (n) {            Cases fall through. All ways from the switch lead to its end, and not all to a block
 *     case 3: a();            before, since n may be 4. But those that do not go straight to the end all lead to case
 *     case 2: b();            1: lanes meet there, and those with 4 wait at the end.
 *     case 1: c();
 *     }
 *
 * The region of a branch: the blocks between it and its post-dominator X that it dominates. Edges to X do not count,
 * nor do those by which a lane leaves the kernel. Lanes meet at M, the nearest block on every way that is left. Such a
 * way ends where it leaves the region or returns to the branch, and in a block that goes nowhere but to X, unless that
 * is a mere jump. A branch in the region, before M, whose post-dominator is X and that has no M of its own has this
 * one, too. */
#include "ptx/analysis/reconvergence.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "ptx/analysis/dominators.h"

/* Regions overlap, and all are searched: no larger ones, nor more blocks in all, nor longer chains of jumps. */
enum { REGION_MOST = 1024, BLOCKS_MOST = 1 << 20, JUMPS_MOST = 8, OUTSIDE = UINT32_MAX };

typedef struct {
	PtxCfg *cfg;
	uint32_t *idom, *depth; /* in the tree of dominators */
	uint32_t *place;        /* block -> its number in the region, or OUTSIDE */
	uint32_t *from;         /* block -> the branch whose M it has, or OUTSIDE */
	VEC(uint32_t) region;   /* blocks; the branch is the first */
	size_t searched;        /* blocks of all regions so far */
	VEC(GraphEdge) back;    /* the edges that count, by number and reversed; out of the region: OUTSIDE */
} Meet;

static const PtxInstr *last_of(const PtxCfg *cfg, uint32_t block) {
	return &cfg->function->instrs[cfg->blocks[block].end - 1];
}

/* Does the edge to this block lead to X, or out of the kernel, with nothing but jumps between? */
static bool leads_out(const PtxCfg *cfg, uint32_t block, uint32_t out) {
	for (uint32_t jumps = 0; jumps <= JUMPS_MOST; jumps++) {
		const PtxBlock *b = &cfg->blocks[block];
		const PtxInstr *in = last_of(cfg, block);
		if (block == out) return true;
		if (b->end != b->first + 1 || in->guarded) return false;
		if (in->op == OP_RET || in->op == OP_EXIT) return cfg->function->entry;
		if (in->op != OP_BRA || !b->nsucc) return false;
		block = b->succ[0];
	}
	return false;
}

static void enter(Meet *m, uint32_t block) {
	m->place[block] = (uint32_t)m->region.len;
	vec_push(&m->region, block);
}

/* A block is dominated by the branch if its immediate dominator is: that one is on the way that led here. */
static void follow(Meet *m, uint32_t k, uint32_t to, uint32_t out) {
	if (leads_out(m->cfg, to, out)) return;
	const bool inside = to != m->region.data[0] && m->place[m->idom[to]] != OUTSIDE;
	if (inside && m->place[to] == OUTSIDE) enter(m, to);
	vec_push(&m->back, (GraphEdge){inside ? m->place[to] : OUTSIDE, k});
}

/* False if it is too large. */
static bool find_region(Meet *m, uint32_t branch) {
	const uint32_t out = m->cfg->blocks[branch].ipdom;
	m->region.len = m->back.len = 0;
	enter(m, branch);
	for (uint32_t k = 0; k < m->region.len && m->region.len <= REGION_MOST; k++) {
		const uint32_t block = m->region.data[k];
		const PtxBlock *b = &m->cfg->blocks[block];
		const PtxInstr *last = last_of(m->cfg, block);
		const size_t edges = m->back.len;
		for (uint32_t i = 0; i < b->nsucc; i++) follow(m, k, b->succ[i], out);
		const bool ends = (last->op == OP_RET || last->op == OP_EXIT || last->op == OP_TRAP) && !last->guarded;
		if (ends || m->back.len == edges) vec_push(&m->back, (GraphEdge){OUTSIDE, k});
	}
	m->searched += m->region.len;
	return m->region.len <= REGION_MOST;
}

/* Blocks from which the way out cannot be reached, a loop that only X ends, get an edge to it, and then M. */
static uint32_t find_meeting(Meet *m) {
	const uint32_t n = (uint32_t)m->region.len;
	AUTO_FREE uint32_t *pdom = xcalloc((size_t)n + 1, sizeof *pdom);
	for (size_t i = 0; i < m->back.len; i++)
		if (m->back.data[i].from == OUTSIDE) m->back.data[i].from = n;
	ptx_dominators(n + 1, m->back.data, m->back.len, n, pdom);
	for (uint32_t k = n; k-- > 0;) {
		if (pdom[k] != NO_DOMINATOR) continue;
		vec_push(&m->back, (GraphEdge){n, k});
		m->searched += n;
		ptx_dominators(n + 1, m->back.data, m->back.len, n, pdom);
	}
	return pdom[0] == n ? OUTSIDE : m->region.data[pdom[0]];
}

static bool dominates(const Meet *m, uint32_t a, uint32_t b) {
	while (m->depth[b] > m->depth[a]) b = m->idom[b];
	return a == b;
}

/* The branches before M inside the region have it, too; of several regions the inner one's. */
static void give_meeting(Meet *m, uint32_t branch, uint32_t meeting) {
	PtxBlock *blocks = m->cfg->blocks;
	for (size_t i = 0; i < m->region.len; i++) {
		const uint32_t block = m->region.data[i];
		if (blocks[block].nsucc < 2 || blocks[block].ipdom != blocks[branch].ipdom || dominates(m, meeting, block))
			continue;
		if (m->from[block] != OUTSIDE && m->depth[m->from[block]] > m->depth[branch]) continue;
		m->from[block] = branch;
		blocks[block].meet = meeting;
	}
}

static void meet_after(Meet *m, uint32_t branch) {
	const PtxBlock *b = &m->cfg->blocks[branch];
	uint32_t ways = 0;
	for (uint32_t i = 0; i < b->nsucc; i++) ways += !leads_out(m->cfg, b->succ[i], b->ipdom);
	if (ways < 2 || b->ipdom == CFG_EXIT || m->idom[branch] == NO_DOMINATOR || m->searched > BLOCKS_MOST) return;
	const bool small = find_region(m, branch);
	const uint32_t meeting = small ? find_meeting(m) : OUTSIDE;
	if (meeting != OUTSIDE) give_meeting(m, branch, meeting);
	for (size_t i = 0; i < m->region.len; i++) m->place[m->region.data[i]] = OUTSIDE;
}

static void find_dominators(Meet *m) {
	const PtxCfg *cfg = m->cfg;
	VEC(GraphEdge) edges = {0};
	for (uint32_t b = 0; b < cfg->nblocks; b++)
		for (uint32_t k = 0; k < cfg->blocks[b].nsucc; k++) vec_push(&edges, (GraphEdge){b, cfg->blocks[b].succ[k]});
	ptx_dominators(cfg->nblocks, edges.data, edges.len, 0, m->idom);
	vec_free(&edges);
	m->region.len = 0;
	for (uint32_t b = 0; b < cfg->nblocks; b++) { /* up to a block whose depth is known, and back */
		for (uint32_t at = b; at && m->idom[at] != NO_DOMINATOR && !m->depth[at]; at = m->idom[at])
			vec_push(&m->region, at);
		while (m->region.len) {
			const uint32_t at = m->region.data[--m->region.len];
			m->depth[at] = m->depth[m->idom[at]] + 1;
		}
	}
}

void cfg_meet(Arena *work, PtxCfg *cfg) {
	const uint32_t n = cfg->nblocks;
	Meet m = {.cfg = cfg,
			  .idom = arena_array(work, n + 1, sizeof *m.idom),
			  .depth = arena_array(work, n + 1, sizeof *m.depth),
			  .place = arena_array(work, n + 1, sizeof *m.place),
			  .from = arena_array(work, n + 1, sizeof *m.from)};
	memset(m.place, 0xff, n * sizeof *m.place);
	memset(m.from, 0xff, n * sizeof *m.from);
	for (uint32_t b = 0; b < n; b++) cfg->blocks[b].meet = cfg->blocks[b].ipdom;
	if (n) find_dominators(&m);
	for (uint32_t b = 0; b < n; b++) meet_after(&m, b);
	vec_free(&m.region);
	vec_free(&m.back);
}
