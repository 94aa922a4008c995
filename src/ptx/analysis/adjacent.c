/* adjacent.h: alignments first, then which accesses are adjacent. */
#include "ptx/analysis/adjacent.h"

#include <stdlib.h>

#include "base/arena.h"
#include "ptx/analysis/cfg.h"

enum { HALF = 2, WORD = 4, PAIR = 8, MOST = 16, VARIABLE = 4, ANY = 32 /* alignments as powers of two; of 0: any */ };

/* --- what is known of alignments ---------------------------------------------------------------------------------- */

typedef struct {
	uint8_t *of; /* [nregs] the value is a multiple of 2^of */
	uint8_t now;
	bool changed;
} Alignments;

static uint8_t zeros(uint64_t bits) {
	return bits && __builtin_ctzll(bits) < ANY ? (uint8_t)__builtin_ctzll(bits) : ANY;
}

static uint8_t of_operand(const Alignments *a, const PtxInstr *in, uint32_t k) {
	const PtxOperand *o = k < in->noperands ? &in->operands[k] : NULL;
	if (!o) return 0;
	if (o->kind == OPERAND_REG) return a->of[o->reg];
	if (o->kind == OPERAND_INT) return zeros(o->bits);
	if (o->kind != OPERAND_SYMBOL) return 0;
	const uint8_t offset = zeros((uint64_t)o->offset);
	return offset < VARIABLE ? offset : VARIABLE;
}

static uint8_t least(uint8_t a, uint8_t b) {
	return a < b ? a : b;
}

static uint8_t sum(uint8_t a, uint8_t b) {
	return a + b < ANY ? (uint8_t)(a + b) : ANY;
}

/* The alignment of an instruction's result. */
static uint8_t of_result(const Alignments *a, const PtxInstr *in) {
	const uint8_t x = of_operand(a, in, 1), y = of_operand(a, in, 2), z = of_operand(a, in, 3);
	switch (in->op) {
	case OP_MOV:
	case OP_CVTA: return x;
	case OP_CVT: return in->ntypes == 2 && ptx_type_bytes(in->types[0]) >= WORD ? x : 0;
	case OP_ADD:
	case OP_SUB:
	case OP_OR:
	case OP_XOR: return least(x, y);
	case OP_AND: return x > y ? x : y;
	case OP_SELP: return least(x, y);
	case OP_SHL:
		return in->noperands > 2 && in->operands[2].kind == OPERAND_INT ? sum(x, (uint8_t)(in->operands[2].bits & 31))
																		: x;
	case OP_MUL: return in->mods & MOD_HI ? 0 : sum(x, y);
	case OP_MAD: return in->mods & MOD_HI ? 0 : least(sum(x, y), z);
	default: return 0;
	}
}

static void lower(void *data, uint32_t reg) {
	Alignments *a = data;
	if (a->of[reg] <= a->now) return;
	a->of[reg] = a->now;
	a->changed = true;
}

static void optimistic(void *data, uint32_t reg) {
	((Alignments *)data)->of[reg] = ANY;
}

/* From the best there could be down to what every instruction that writes a register allows. */
static void find_alignments(const PtxFunction *f, Alignments *a) {
	for (uint32_t i = 0; i < f->ninstrs; i++) ptx_each_written(&f->instrs[i], optimistic, a);
	do {
		a->changed = false;
		for (uint32_t i = 0; i < f->ninstrs; i++) {
			a->now = of_result(a, &f->instrs[i]);
			ptx_each_written(&f->instrs[i], lower, a);
		}
	} while (a->changed);
}

/* --- joining ------------------------------------------------------------------------------------------------------ */

/* An access that may be joined, by what is added to its base. */
typedef struct {
	uint32_t instr, bytes;
	uint32_t reg, version; /* of the base; version: how often it was written before in the block */
	const PtxVar *symbol;  /* base is a variable */
	int64_t offset;
	uint8_t alignment; /* of the base */
} Piece;

static int compare(const void *x, const void *y) {
	const Piece *a = x, *b = y;
	if (a->symbol != b->symbol) return a->symbol < b->symbol ? -1 : 1;
	if (a->reg != b->reg) return a->reg < b->reg ? -1 : 1;
	if (a->version != b->version) return a->version < b->version ? -1 : 1;
	if (a->bytes != b->bytes) return a->bytes < b->bytes ? -1 : 1;
	if (a->offset != b->offset) return a->offset < b->offset ? -1 : 1;
	return a->instr < b->instr ? -1 : 1;
}

static bool follows(const Piece *a, const Piece *b, uint32_t k) {
	return a->symbol == b->symbol && a->reg == b->reg && a->version == b->version && a->bytes == b->bytes &&
		   b->offset == a->offset + k * a->bytes;
}

/* Joins pieces[0 .. count) if they are adjacent and the first is aligned. */
static bool join(const Piece *pieces, uint32_t n, uint32_t count, PtxAdjacent *of) {
	const uint32_t bytes = pieces->bytes * count;
	if (n < count || bytes > MOST || least(pieces->alignment, zeros((uint64_t)pieces->offset)) < zeros(bytes))
		return false;
	for (uint32_t k = 1; k < count; k++)
		if (!follows(pieces, &pieces[k], k)) return false;
	of[pieces->instr].bytes = (uint8_t)bytes;
	for (uint32_t k = 1; k < count; k++) of[pieces[k].instr].joined = true;
	return true;
}

/* Three of four words whose first is aligned: one access that has an unused word. */
static bool join_three(const Piece *pieces, uint32_t n, PtxAdjacent *of) {
	const uint32_t before = (uint32_t)pieces->offset & (MOST - 1);
	if (n < 3 || pieces->bytes != WORD || before > WORD || pieces->alignment < zeros(MOST)) return false;
	if (!follows(pieces, &pieces[1], 1) || !follows(pieces, &pieces[2], 2)) return false;
	of[pieces->instr] = (PtxAdjacent){.bytes = MOST, .before = (uint8_t)before};
	of[pieces[1].instr].joined = of[pieces[2].instr].joined = true;
	return true;
}

static void join_all(Piece *pieces, uint32_t n, bool holes, PtxAdjacent *of) {
	if (n < 2) return;
	qsort(pieces, n, sizeof *pieces, compare);
	for (uint32_t i = 0; i < n;) {
		if (join(pieces + i, n - i, 4, of))
			i += 4;
		else if (holes && join_three(pieces + i, n - i, of))
			i += 3;
		else
			i += join(pieces + i, n - i, 2, of) ? 2 : 1;
	}
}

static void count_write(void *data, uint32_t reg) {
	((uint32_t *)data)[reg]++;
}

bool ptx_may_access_shared(const PtxInstr *in, PtxOp op) {
	if (in->op == op) return in->space == SPACE_SHARED || in->space == SPACE_GENERIC;
	const PtxCost cost = ptx_op_cost(in->op);
	return cost == COST_ATOMIC || cost == COST_BARRIER || in->op == OP_CALL;
}

/* Bytes per lane of an access that may be joined; else 0. */
static uint32_t joinable(const PtxInstr *in, PtxOp op, uint32_t most) {
	const PtxOperand *o = &in->operands[op == OP_LD];
	if (in->op != op || in->space != SPACE_SHARED || in->guarded || in->sem > SEM_WEAK || in->noperands != 2 ||
		!in->ntypes || o->kind != OPERAND_ADDRESS || !(o->has_base || o->symbol))
		return 0;
	const uint32_t vector = in->vector > 1 ? in->vector : 1, bytes = vector * (uint32_t)ptx_type_bytes(in->types[0]);
	if (bytes == WORD && vector == 1) return bytes;
	return most == PAIR && (bytes == HALF || bytes == PAIR) ? bytes : 0;
}

static void mark(const PtxFunction *f, const bool *leader, PtxOp op, uint32_t most, bool holes, PtxAdjacent *of) {
	AUTO_ARENA Arena *arena = arena_new();
	Alignments a = {.of = arena_alloc(arena, f->nregs + 1)};
	uint32_t *written = arena_array(arena, f->nregs + 1, sizeof *written), n = 0;
	Piece *pieces = arena_array(arena, f->ninstrs + 1, sizeof *pieces);
	find_alignments(f, &a);
	for (uint32_t i = 0; i < f->ninstrs; i++) {
		const PtxInstr *in = &f->instrs[i];
		if (leader[i] || ptx_may_access_shared(in, op == OP_LD ? OP_ST : OP_LD)) join_all(pieces, n, holes, of), n = 0;
		const uint32_t bytes = joinable(in, op, most);
		if (bytes) {
			const PtxOperand *o = &in->operands[op == OP_LD];
			Piece *p = &pieces[n++];
			*p = (Piece){
				.instr = i, .bytes = bytes, .offset = o->offset, .alignment = o->has_base ? a.of[o->reg] : VARIABLE};
			if (o->has_base)
				p->reg = o->reg + 1, p->version = written[o->reg];
			else if (o->symbol->owner == f && most == PAIR)
				p->offset += (int64_t)o->symbol->offset; /* neighbors in the function's part of shared memory */
			else
				p->symbol = o->symbol;
		}
		ptx_each_written(in, count_write, written);
	}
	join_all(pieces, n, holes, of);
}

void ptx_join_words(const PtxFunction *f, const bool *leader, PtxAdjacent *of) {
	mark(f, leader, OP_LD, WORD, false, of);
}

void ptx_join(const PtxFunction *f, const bool *leader, PtxOp op, bool holes, PtxAdjacent *of) {
	mark(f, leader, op, PAIR, holes, of);
}

static bool is_read_only_load(const PtxInstr *in) {
	return in->op == OP_LD && in->space == SPACE_GLOBAL && in->cache == CACHE_NC && !in->guarded && in->ntypes &&
		   in->noperands == 2 && in->operands[1].kind == OPERAND_ADDRESS && in->operands[1].has_base;
}

static bool same_words(const PtxInstr *a, const PtxInstr *b) {
	const PtxOperand *x = &a->operands[1], *y = &b->operands[1];
	return x->reg == y->reg && x->offset == y->offset && a->vector == b->vector &&
		   ptx_type_bytes(a->types[0]) == ptx_type_bytes(b->types[0]);
}

void ptx_join_same(const PtxFunction *f, const bool *leader, PtxAdjacent *of) {
	AUTO_ARENA Arena *arena = arena_new();
	uint32_t *written = arena_array(arena, f->nregs + 1, sizeof *written), n = 0;
	uint32_t *version = arena_array(arena, f->ninstrs + 1, sizeof *version);
	uint32_t *loads = arena_array(arena, f->ninstrs + 1, sizeof *loads);
	for (uint32_t i = 0; i < f->ninstrs; i++) {
		const PtxInstr *in = &f->instrs[i];
		if (leader[i]) n = 0;
		if (is_read_only_load(in)) {
			version[i] = written[in->operands[1].reg];
			uint32_t k = 0;
			while (k < n && !(same_words(in, &f->instrs[loads[k]]) && version[i] == version[loads[k]])) k++;
			if (k < n)
				of[i].joined = true;
			else
				loads[n++] = i;
		}
		ptx_each_written(in, count_write, written);
	}
}
