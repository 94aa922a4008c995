/* Blocks, edges, and immediate post-dominators.
 *
 * Post-dominators are dominators of the reversed graph, whose entry is the virtual exit; they are found with the
 * iteration of Cooper, Harvey and Kennedy ("A Simple, Fast Dominance Algorithm") over a numbering by depth-first
 * search: `order` counts blocks in the order the reversed search leaves them, so a block's post-dominator has a higher
 * number, and two candidates are merged by walking up from the lower one until they meet. A block from which no exit
 * can be reached (an endless loop) gets an edge to the exit of its own: one for each such region, at its last block in
 * the text, so that what diverges inside the loop still meets inside it. */
#include "ptx/analysis/cfg.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "ptx/analysis/liveness.h"
#include "ptx/analysis/reconvergence.h"

static bool ends_block(PtxOp op) {
	return op == OP_BRA || op == OP_BRX || op == OP_RET || op == OP_EXIT || op == OP_TRAP;
}

static bool falls_through(const PtxInstr *last) {
	return !ends_block(last->op) || last->guarded;
}

/* Marks the first instruction of each block. */
static void mark_leaders(const PtxFunction *f, bool *leader) {
	if (f->ninstrs) leader[0] = true;
	for (uint32_t i = 0; i < f->ninstrs; i++) {
		const PtxInstr *in = &f->instrs[i];
		if (ends_block(in->op)) leader[i + 1] = true;
		for (uint32_t k = 0; k < in->noperands; k++) {
			if (in->operands[k].kind == OPERAND_LABEL) leader[in->operands[k].target] = true;
		}
	}
	for (uint32_t l = 0; l < f->nbranch_lists; l++) {
		for (uint32_t k = 0; k < f->nbranch_targets[l]; k++) leader[f->branch_targets[l][k]] = true;
	}
}

static void make_blocks(Arena *arena, PtxCfg *cfg) {
	const PtxFunction *f = cfg->function;
	AUTO_FREE bool *leader = xcalloc((size_t)f->ninstrs + 1, sizeof *leader);
	mark_leaders(f, leader);
	for (uint32_t i = 0; i < f->ninstrs; i++) cfg->nblocks += leader[i];
	cfg->blocks = arena_array(arena, cfg->nblocks, sizeof *cfg->blocks);
	cfg->block_of = arena_array(arena, f->ninstrs, sizeof *cfg->block_of);
	uint32_t b = UINT32_MAX;
	for (uint32_t i = 0; i < f->ninstrs; i++) {
		if (leader[i]) cfg->blocks[++b].first = i;
		cfg->blocks[b].end = i + 1;
		cfg->block_of[i] = b;
	}
}

typedef struct {
	PtxCfg *cfg;
	VEC(uint32_t) found; /* successors of the current block */
	uint32_t *seen;      /* seen[t] == block + 1: t is among them */
} Edges;

/* A label at the very end of the function is a way out: no edge. */
static void add_edge(Edges *e, uint32_t block, uint32_t instr) {
	if (instr == e->cfg->function->ninstrs) return;
	uint32_t to = e->cfg->block_of[instr];
	if (e->seen[to] == block + 1) return;
	e->seen[to] = block + 1;
	vec_push(&e->found, to);
}

static void find_successors(Edges *e, uint32_t block) {
	const PtxFunction *f = e->cfg->function;
	const PtxBlock *b = &e->cfg->blocks[block];
	const PtxInstr *last = &f->instrs[b->end - 1];
	e->found.len = 0;
	if (falls_through(last)) add_edge(e, block, b->end);
	if (last->op == OP_BRA) add_edge(e, block, last->operands[0].target);
	if (last->op == OP_BRX) {
		uint64_t list = last->operands[1].bits;
		for (uint32_t k = 0; k < f->nbranch_targets[list]; k++) add_edge(e, block, f->branch_targets[list][k]);
	}
}

static void connect(Arena *arena, PtxCfg *cfg) {
	Edges e = {.cfg = cfg, .seen = xcalloc(cfg->nblocks, sizeof *e.seen)};
	for (uint32_t i = 0; i < cfg->nblocks; i++) {
		PtxBlock *b = &cfg->blocks[i];
		find_successors(&e, i);
		b->nsucc = (uint32_t)e.found.len;
		b->succ = arena_array(arena, e.found.len, sizeof *b->succ);
		if (e.found.len) memcpy(b->succ, e.found.data, e.found.len * sizeof *b->succ);
		for (uint32_t k = 0; k < b->nsucc; k++) cfg->blocks[b->succ[k]].npred++;
	}
	for (uint32_t i = 0; i < cfg->nblocks; i++) {
		PtxBlock *b = &cfg->blocks[i];
		b->pred = arena_array(arena, b->npred, sizeof *b->pred);
		b->npred = 0;
	}
	for (uint32_t i = 0; i < cfg->nblocks; i++) {
		for (uint32_t k = 0; k < cfg->blocks[i].nsucc; k++) {
			PtxBlock *to = &cfg->blocks[cfg->blocks[i].succ[k]];
			to->pred[to->npred++] = i;
		}
	}
	vec_free(&e.found);
	free(e.seen);
}

/* The exit takes part as one more block with the index nblocks. */
typedef struct {
	const PtxCfg *cfg;
	uint32_t *number;   /* block -> order in which the search left it; the exit has the highest */
	uint32_t *by_order; /* and back */
	bool *visited, *exits;
	bool *stays; /* block -> the edges out of it by which a lane leaves the kernel do not count */
	uint32_t left;
	VEC(uint32_t) stack, next; /* open blocks, and which predecessor of each comes next */
} Search;

/* Whether the block does nothing but leave, or jump to such a block. */
static bool is_bare_return(const PtxCfg *cfg, uint32_t block) {
	for (uint32_t hops = 0; hops <= cfg->nblocks; hops++) {
		const PtxBlock *b = &cfg->blocks[block];
		const PtxInstr *in = &cfg->function->instrs[b->first];
		if (b->end != b->first + 1 || in->guarded) return false;
		if (in->op == OP_RET || in->op == OP_EXIT) return true;
		if (in->op != OP_BRA) return false;
		if (in->operands[0].target == cfg->function->ninstrs) return true;
		block = b->succ[0];
	}
	return false; /* a loop of jumps */
}

static bool edge_counts(const Search *s, uint32_t from, uint32_t to) {
	return !s->stays[from] || !is_bare_return(s->cfg, to);
}

/* All blocks that can reach `from`, over edges backwards. */
static void search_back(Search *s, uint32_t from) {
	s->visited[from] = true;
	vec_push(&s->stack, from);
	vec_push(&s->next, 0);
	while (s->stack.len) {
		uint32_t block = vec_last(&s->stack);
		const PtxBlock *b = &s->cfg->blocks[block];
		uint32_t k = vec_last(&s->next)++;
		if (k < b->npred) {
			if (s->visited[b->pred[k]] || !edge_counts(s, b->pred[k], block)) continue;
			s->visited[b->pred[k]] = true;
			vec_push(&s->stack, b->pred[k]);
			vec_push(&s->next, 0);
		} else {
			s->by_order[s->left] = block;
			s->number[block] = s->left++;
			s->stack.len--;
			s->next.len--;
		}
	}
}

/* Whether an edge from the block leads out of the function: a return, or a way to the end of the text. */
static bool leaves_function(const PtxCfg *cfg, const PtxBlock *b) {
	const PtxFunction *f = cfg->function;
	const PtxInstr *last = &f->instrs[b->end - 1];
	if (last->op == OP_RET || last->op == OP_EXIT || last->op == OP_TRAP) return true;
	if (falls_through(last) && b->end == f->ninstrs) return true;
	if (last->op == OP_BRA) return last->operands[0].target == f->ninstrs;
	if (last->op != OP_BRX) return false;
	uint64_t list = last->operands[1].bits;
	for (uint32_t k = 0; k < f->nbranch_targets[list]; k++) {
		if (f->branch_targets[list][k] == f->ninstrs) return true;
	}
	return false;
}

/* A branch of which one side is nothing but a return, or a guarded return. ptxas makes a predicated EXIT of it. */
uint32_t ptx_stays_at(const PtxCfg *cfg, uint32_t block) {
	const PtxBlock *b = &cfg->blocks[block];
	if (!cfg->function->entry || !cfg->function->instrs[b->end - 1].guarded) return CFG_EXIT;
	if (b->nsucc == 1) return leaves_function(cfg, b) ? b->succ[0] : CFG_EXIT;
	if (b->nsucc != 2) return CFG_EXIT;
	const bool first = is_bare_return(cfg, b->succ[0]);
	return first == is_bare_return(cfg, b->succ[1]) ? CFG_EXIT : b->succ[first];
}

static void search_from_exits(Search *s) {
	const uint32_t n = s->cfg->nblocks;
	s->left = 0;
	memset(s->visited, 0, n * sizeof *s->visited);
	for (uint32_t i = 0; i < n; i++) s->exits[i] = !s->stays[i] && leaves_function(s->cfg, &s->cfg->blocks[i]);
	for (uint32_t i = n; i-- > 0;) {
		if (s->exits[i] && !s->visited[i]) search_back(s, i);
	}
}

static void number_blocks(Search *s) {
	uint32_t n = s->cfg->nblocks;
	bool all = true;
	for (uint32_t i = 0; i < n; i++) s->stays[i] = ptx_stays_at(s->cfg, i) != CFG_EXIT;
	search_from_exits(s);
	for (uint32_t i = 0; i < n; i++) {
		s->stays[i] = s->stays[i] && s->visited[i]; /* a loop may have no other way out */
		all = all && s->visited[i];
	}
	if (!all) search_from_exits(s);
	for (uint32_t i = n; i-- > 0;) {
		if (s->visited[i]) continue;
		s->exits[i] = true;
		search_back(s, i);
	}
	s->by_order[n] = n;
	s->number[n] = n;
}

static uint32_t meet(const Search *s, const uint32_t *ipdom, uint32_t a, uint32_t b) {
	while (a != b) {
		while (s->number[a] < s->number[b]) a = ipdom[a];
		while (s->number[b] < s->number[a]) b = ipdom[b];
	}
	return a;
}

static void post_dominators(Arena *arena, PtxCfg *cfg) {
	uint32_t n = cfg->nblocks, unknown = UINT32_MAX;
	Search s = {.cfg = cfg,
				.number = arena_array(arena, n + 1, sizeof *s.number),
				.by_order = arena_array(arena, n + 1, sizeof *s.by_order),
				.visited = arena_array(arena, n + 1, sizeof *s.visited),
				.exits = arena_array(arena, n + 1, sizeof *s.exits),
				.stays = arena_array(arena, n + 1, sizeof *s.stays)};
	uint32_t *ipdom = arena_array(arena, n + 1, sizeof *ipdom);
	number_blocks(&s);
	for (uint32_t i = 0; i < n; i++) ipdom[i] = unknown;
	ipdom[n] = n;
	for (bool changed = true; changed;) {
		changed = false;
		for (uint32_t o = n; o-- > 0;) {
			uint32_t block = s.by_order[o], best = s.exits[block] ? n : unknown;
			for (uint32_t k = 0; k < cfg->blocks[block].nsucc; k++) {
				uint32_t to = cfg->blocks[block].succ[k];
				if (ipdom[to] == unknown || !edge_counts(&s, block, to)) continue;
				best = best == unknown ? to : meet(&s, ipdom, best, to);
			}
			changed = changed || ipdom[block] != best;
			ipdom[block] = best;
		}
	}
	for (uint32_t i = 0; i < n; i++) cfg->blocks[i].ipdom = ipdom[i] == n ? CFG_EXIT : ipdom[i];
	vec_free(&s.stack);
	vec_free(&s.next);
}

bool ptx_between(const PtxCfg *cfg, const PtxBlock *branch, uint32_t meet, bool *between) {
	AUTO_FREE uint32_t *next = xcalloc(cfg->nblocks + 1, sizeof *next);
	uint32_t n = 0;
	bool all_meet = true;
	memset(between, 0, cfg->nblocks * sizeof *between);
	for (const PtxBlock *b = branch;; b = &cfg->blocks[next[--n]]) {
		all_meet &= b->nsucc > 0;
		for (uint32_t k = 0; k < b->nsucc; k++) {
			if (b->succ[k] == meet || between[b->succ[k]]) continue;
			between[b->succ[k]] = true;
			next[n++] = b->succ[k];
		}
		if (!n) return all_meet;
	}
}

PtxCfg *ptx_cfg(Arena *arena, const PtxFunction *function) {
	if (function->external) return NULL;
	PtxCfg *cfg = arena_alloc(arena, sizeof *cfg);
	cfg->function = function;
	make_blocks(arena, cfg);
	AUTO_ARENA Arena *work = arena_new();
	connect(arena, cfg);
	post_dominators(work, cfg);
	cfg_meet(work, cfg);
	cfg_liveness(arena, work, cfg);
	return cfg;
}
