/* fused.h. What may be joined follows from the PTX (ptx/adjacent.h); whether it was, from the numbers of accesses of
 * each width in SASS. An unrolled loop has more of them than the PTX; outside of loops there must be as many. Likewise
 * which loads may be moved (ptx/analysis/sinkable.h), and how many were. */
#include "emu/count/fused.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "ptx/analysis/cfg.h"
#include "ptx/analysis/loops.h"
#include "ptx/analysis/sinkable.h"

static int width_of(uint32_t bytes) {
	return bytes > 8 ? 2 : bytes > 4;
}

static int kind_of(const PtxInstr *in) {
	const bool load = in->op == OP_LD;
	if (!load && in->op != OP_ST) return SASS_KINDS;
	if (in->space == SPACE_SHARED) return load ? SASS_LDS : SASS_STS;
	return in->space == SPACE_GLOBAL ? load ? SASS_LDG : SASS_STG : SASS_KINDS;
}

static uint32_t bytes_of(const PtxInstr *in) {
	return (in->vector > 1 ? in->vector : 1) * (uint32_t)(in->ntypes ? ptx_type_bytes(in->types[0]) : 4);
}

static void count_one(const PtxInstr *in, const PtxAdjacent *of, uint32_t out[SASS_KINDS][SASS_WIDTHS]) {
	const int kind = kind_of(in);
	if (kind != SASS_KINDS && !of->joined) out[kind][width_of(of->bytes ? of->bytes : bytes_of(in))]++;
}

/* From instruction first on. */
static void count(const PtxFunction *f, uint32_t first, const PtxAdjacent *of, uint32_t out[SASS_KINDS][SASS_WIDTHS]) {
	for (uint32_t i = first; i < f->ninstrs; i++) count_one(&f->instrs[i], &of[i], out);
}

typedef struct {
	const PtxCfg *cfg;
	bool *instrs;
} InLoops;

static void mark_loop(void *data, const bool *inside) {
	const InLoops *in = data;
	for (uint32_t i = 0; i < in->cfg->function->ninstrs; i++) in->instrs[i] |= inside[in->cfg->block_of[i]];
}

/* [ninstrs] which instructions are in a loop */
static bool *in_loops(const PtxFunction *f) {
	AUTO_ARENA Arena *arena = arena_new();
	InLoops in = {ptx_cfg(arena, f), xcalloc(f->ninstrs + 1, sizeof *in.instrs)};
	if (in.cfg) ptx_each_loop(in.cfg, mark_loop, &in);
	return in.instrs;
}

/* Where accesses stop being neighbors. The PTX does not show what ptxas moves across branches, so the first of these
 * that gives what SASS has is taken. */
typedef enum {
	BLOCKS,   /* at each basic block */
	BRANCHES, /* not where only the block before leads to a block: ptxas moves loads up over the branch between them */
	SLOW_PATHS,  /* at each block, and after each operation that SASS makes a call of for some operands */
	BLOCKS_HOLES /* at each block; three of four adjacent words become one load */
} Parting;

/* Divisions and roots that are rounded as IEEE 754 says. */
static bool has_slow_path(const PtxInstr *in) {
	if (in->op != OP_DIV && in->op != OP_SQRT && in->op != OP_RCP) return false;
	if (!in->ntypes || (in->types[0] != T_F32 && in->types[0] != T_F64)) return false;
	return in->round == ROUND_RN;
}

static bool parts(const PtxBlock *block, uint32_t number, Parting at) {
	return at != BRANCHES || block->npred != 1 || block->pred[0] + 1 != number;
}

/* leader[ninstrs + 1] as of ptx_join. */
static bool *leaders(const PtxFunction *f, Parting at) {
	bool *leader = xcalloc(f->ninstrs + 1, sizeof *leader);
	AUTO_ARENA Arena *arena = arena_new();
	const PtxCfg *cfg = ptx_cfg(arena, f);
	for (uint32_t b = 0; cfg && b < cfg->nblocks; b++) leader[cfg->blocks[b].first] = parts(&cfg->blocks[b], b, at);
	for (uint32_t i = 0; at == SLOW_PATHS && i < f->ninstrs; i++)
		if (has_slow_path(&f->instrs[i])) leader[i + 1] = true;
	return leader;
}

/* SASS has the accesses that joining gives; of a width that loops have, maybe more. */
static bool agrees(const uint32_t joined[SASS_WIDTHS], const uint32_t looped[SASS_WIDTHS],
				   const uint32_t sass[SASS_WIDTHS]) {
	for (int w = 0; w < SASS_WIDTHS; w++)
		if (sass[w] < joined[w] || (sass[w] > joined[w] && !looped[w])) return false;
	return true;
}

static uint32_t sum(const uint32_t widths[SASS_WIDTHS]) {
	uint32_t all = 0;
	for (int w = 0; w < SASS_WIDTHS; w++) all += widths[w];
	return all;
}

static bool is_fused(const FusedKind *k) {
	for (int w = 1; w < SASS_WIDTHS; w++)
		if (k->sass[w] && !k->ptx[w]) return true;
	return sum(k->sass) < sum(k->ptx);
}

/* Takes back what was marked of a kind. */
static void unmark(const PtxFunction *f, int kind, PtxAdjacent *of) {
	for (uint32_t i = 0; i < f->ninstrs; i++)
		if (kind_of(&f->instrs[i]) == kind) of[i] = (PtxAdjacent){0};
}

/* Whether what of marks of a kind is what SASS has; else the marks are taken back. */
static void decide(const PtxFunction *f, const bool *loops, int kind, FusedKind *k, PtxAdjacent *of) {
	uint32_t joined[SASS_KINDS][SASS_WIDTHS] = {0}, looped[SASS_KINDS][SASS_WIDTHS] = {0};
	count(f, 0, of, joined);
	for (uint32_t i = 0; i < f->ninstrs; i++)
		if (loops[i]) count_one(&f->instrs[i], &of[i], looped);
	const bool wanted = memcmp(k->ptx, joined[kind], sizeof k->ptx) != 0;
	k->counted = wanted && agrees(joined[kind], looped[kind], k->sass) && (kind == SASS_LDG || is_fused(k));
	k->fused = k->counted || is_fused(k);
	if (!k->counted) unmark(f, kind, of);
}

/* Joins the accesses of a kind that is not decided yet. */
static void join(const PtxFunction *f, const bool *loops, Parting at, PtxOp op, Fused *fused, PtxAdjacent *of) {
	const int kind = op == OP_LD ? SASS_LDS : SASS_STS;
	if (fused->kinds[kind].counted) return;
	AUTO_FREE bool *leader = leaders(f, at);
	ptx_join(f, leader, op, at == BLOCKS_HOLES, of);
	decide(f, loops, kind, &fused->kinds[kind], of);
}

static void join_same(const PtxFunction *f, const bool *loops, Fused *fused, PtxAdjacent *of) {
	AUTO_FREE bool *leader = leaders(f, BLOCKS);
	ptx_join_same(f, leader, of);
	decide(f, loops, SASS_LDG, &fused->kinds[SASS_LDG], of);
}

/* --- loads that are moved behind the last branch at which lanes leave --------------------------------------------- */

enum { BEFORE, BEHIND, SIDES };

/* How many more accesses SASS has than the PTX on each side of the branch, and where there are loops. */
typedef struct {
	int64_t more[SIDES][SASS_KINDS];
	bool loops[SIDES];
} Sides;

static Sides sides_of(const PtxFunction *f, uint32_t branch, const SassAccesses *sass, const PtxAdjacent *of) {
	uint32_t all[SASS_KINDS][SASS_WIDTHS] = {0}, behind[SASS_KINDS][SASS_WIDTHS] = {0};
	Sides s = {0};
	count(f, 0, of, all);
	count(f, branch, of, behind);
	for (int kind = 0; kind < SASS_KINDS; kind++) {
		s.more[BEHIND][kind] = (int64_t)sum(sass->behind[kind]) - sum(behind[kind]);
		s.more[BEFORE][kind] = (int64_t)sum(sass->count[kind]) - sum(all[kind]) - s.more[BEHIND][kind];
	}
	for (uint32_t i = 0; i < f->ninstrs; i++) {
		const PtxInstr *in = &f->instrs[i];
		if (in->op == OP_BRA && in->operands[0].target <= i)
			s.loops[i > branch] = s.loops[in->operands[0].target > branch] = true;
	}
	return s;
}

/* ptxas unrolls loops, and leaves stores where they are: without the same stores there it is another branch. */
static bool comparable(const Sides *s, int side) {
	return !s->loops[side] && !s->more[side][SASS_STS] && !s->more[side][SASS_STG];
}

static int64_t moved(const Sides *s, int kind) {
	if (comparable(s, BEHIND)) return s->more[BEHIND][kind];
	return comparable(s, BEFORE) ? -s->more[BEFORE][kind] : 0;
}

static void find_moved(const PtxFunction *f, const SassAccesses *sass, const PtxAdjacent *of, Fused *fused) {
	AUTO_ARENA Arena *arena = arena_new();
	const PtxCfg *cfg = sass->leaves ? ptx_cfg(arena, f) : NULL;
	bool *sinkable = arena_array(arena, f->ninstrs + 1, sizeof *sinkable);
	const uint32_t branch = cfg ? ptx_sinkable(cfg, sinkable) : f->ninstrs;
	uint32_t most[SASS_KINDS] = {0};
	if (branch == f->ninstrs) return;
	for (uint32_t i = 0; i < branch; i++)
		if (sinkable[i] && !of[i].joined) most[kind_of(&f->instrs[i])]++;
	const Sides sides = sides_of(f, branch, sass, of);
	for (int kind = 0; kind < SASS_KINDS; kind++) {
		FusedKind *k = &fused->kinds[kind];
		const int64_t n = moved(&sides, kind);
		if (n > 0 && n <= most[kind] && (k->counted || !k->fused)) k->moved = (uint32_t)n;
	}
}

Fused fused_accesses(const PtxFunction *f, const SassAccesses *sass, PtxAdjacent *of) {
	uint32_t plain[SASS_KINDS][SASS_WIDTHS] = {0};
	Fused fused = {0};
	count(f, 0, of, plain);
	for (int kind = 0; kind < SASS_KINDS; kind++) {
		FusedKind *k = &fused.kinds[kind];
		memcpy(k->ptx, plain[kind], sizeof k->ptx);
		memcpy(k->sass, sass->count[kind], sizeof k->sass);
		k->fused = is_fused(k);
	}
	AUTO_FREE bool *loops = in_loops(f);
	join_same(f, loops, &fused, of);
	join(f, loops, BLOCKS, OP_ST, &fused, of);
	for (Parting at = BLOCKS; at <= BLOCKS_HOLES; at++) join(f, loops, at, OP_LD, &fused, of);
	find_moved(f, sass, of, &fused);
	return fused;
}

static const char *const names[SASS_KINDS] = {"LDS", "STS", "LDG", "STG"};

void fused_text(const Fused *fused, SassKind kind, char *out, size_t size) {
	static const char *const widths[] = {"", ".64", ".128"};
	const FusedKind *k = &fused->kinds[kind];
	size_t used = 0;
	*out = 0;
	for (int w = 0; w < SASS_WIDTHS; w++)
		if (k->sass[w] && used < size)
			used += (size_t)snprintf(out + used, size - used, "%s%u %s%s", used ? ", " : "", k->sass[w], names[kind],
									 widths[w]);
	if (used < size) snprintf(out + used, size - used, "%s in SASS, %u in the PTX", used ? "" : "none", sum(k->ptx));
}

void fused_moved_text(const Fused *fused, SassKind kind, char *out, size_t size) {
	const uint32_t n = fused->kinds[kind].moved;
	snprintf(out, size, "%u %s %s behind the branch at which threads leave, in the PTX %s before it", n, names[kind],
			 n == 1 ? "is" : "are", n == 1 ? "it is" : "they are");
}
