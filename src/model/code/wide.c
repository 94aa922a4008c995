/* cc 2.0 and later: loads of adjacent words of shared memory that become one load of 64 or 128 bits.
 *
 * Assemblers join them wherever they can prove that the address of the first is a multiple of what is read
 * (disassembly for cc 9.0: every product of a tile in labs 6 and 7). Here, too: within a block of code and between
 * writes to shared memory, loads of 32 bits from one base, whose alignment follows from how it was computed. A
 * variable is aligned to 16. */
#include <stdlib.h>

#include "base/arena.h"
#include "model/code/code.h"

enum { WORD = 4, MOST = 16, VARIABLE = 4, ANY = 32 /* alignments as powers of two; of 0: any */ };

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

/* Of an instruction's result. */
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

/* A load that may be joined, by what is added to its base. */
typedef struct {
	uint32_t instr;
	uint32_t reg, version; /* of the base; version: how often it was written before in the block */
	const PtxVar *symbol;  /* base is a variable */
	int64_t offset;
	uint8_t alignment; /* of the base */
} Load;

static int compare(const void *x, const void *y) {
	const Load *a = x, *b = y;
	if (a->symbol != b->symbol) return a->symbol < b->symbol ? -1 : 1;
	if (a->reg != b->reg) return a->reg < b->reg ? -1 : 1;
	if (a->version != b->version) return a->version < b->version ? -1 : 1;
	if (a->offset != b->offset) return a->offset < b->offset ? -1 : 1;
	return a->instr < b->instr ? -1 : 1;
}

static bool joinable(const PtxInstr *in) {
	return in->op == OP_LD && in->space == SPACE_SHARED && !in->guarded && in->sem <= SEM_WEAK && in->vector <= 1 &&
		   in->noperands == 2 && in->ntypes && ptx_type_bytes(in->types[0]) == WORD &&
		   in->operands[1].kind == OPERAND_ADDRESS && (in->operands[1].has_base || in->operands[1].symbol);
}

static bool follows(const Load *a, const Load *b, uint32_t words) {
	return a->symbol == b->symbol && a->reg == b->reg && a->version == b->version &&
		   b->offset == a->offset + words * WORD;
}

/* Joins loads[0 .. words) if they are adjacent and the first is aligned. */
static bool join(const Load *loads, uint32_t n, uint32_t words, InstrCost *costs) {
	const uint8_t bits = words == 4 ? 4 : 3;
	if (n < words || least(loads->alignment, zeros((uint64_t)loads->offset)) < bits) return false;
	for (uint32_t k = 1; k < words; k++)
		if (!follows(loads, &loads[k], k)) return false;
	costs[loads->instr].wide = (uint8_t)(words * WORD);
	for (uint32_t k = 1; k < words; k++) {
		costs[loads[k].instr].joined = true;
		costs[loads[k].instr].issue = costs[loads[k].instr].pipe_use = 0;
	}
	return true;
}

static void join_all(Load *loads, uint32_t n, InstrCost *costs) {
	if (n < 2) return;
	qsort(loads, n, sizeof *loads, compare);
	for (uint32_t i = 0; i < n;) {
		if (join(loads + i, n - i, 4, costs))
			i += 4;
		else
			i += join(loads + i, n - i, 2, costs) ? 2 : 1;
	}
}

typedef struct {
	uint32_t *written; /* [nregs] */
} Versions;

static void count_write(void *data, uint32_t reg) {
	((Versions *)data)->written[reg]++;
}

static bool may_write_shared(const PtxInstr *in) {
	if (in->op == OP_ST) return in->space == SPACE_SHARED || in->space == SPACE_GENERIC;
	return ptx_op_cost(in->op) == COST_ATOMIC || in->op == OP_CALL;
}

void code_join_loads(const PtxFunction *f, const bool *leader, InstrCost *costs) {
	Alignments a = {.of = xcalloc(f->nregs + 1, 1)};
	Versions v = {xcalloc(f->nregs + 1, sizeof(uint32_t))};
	Load *loads = xcalloc(f->ninstrs + 1, sizeof *loads);
	uint32_t n = 0;
	find_alignments(f, &a);
	for (uint32_t i = 0; i < f->ninstrs; i++) {
		const PtxInstr *in = &f->instrs[i];
		if (leader[i] || may_write_shared(in)) join_all(loads, n, costs), n = 0;
		if (joinable(in)) {
			const PtxOperand *o = &in->operands[1];
			Load *l = &loads[n++];
			*l = (Load){.instr = i, .offset = o->offset, .alignment = o->has_base ? a.of[o->reg] : VARIABLE};
			if (o->has_base)
				l->reg = o->reg + 1, l->version = v.written[o->reg];
			else
				l->symbol = o->symbol;
		}
		ptx_each_written(in, count_write, &v);
	}
	join_all(loads, n, costs);
	free(a.of);
	free(v.written);
	free(loads);
}
