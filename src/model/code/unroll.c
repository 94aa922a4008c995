#include "model/code/unroll.h"

#include "base/arena.h"
#include "model/code/sequence.h"

enum { MOST_COPIED = 18 };

typedef struct {
	const PtxFunction *function;
	const InstrCost *costs;
	uint32_t first, end; /* of the block */
} Loop;

static const PtxInstr *last_of(const Loop *l) {
	return &l->function->instrs[l->end - 1];
}

/* The instruction of the loop that writes the register, if it is the only one. */
static const PtxInstr *writer_of(const Loop *l, uint32_t reg) {
	const PtxInstr *writer = NULL;
	for (uint32_t i = l->first; i < l->end; i++) {
		if (!ptx_writes(&l->function->instrs[i], reg)) continue;
		if (writer) return NULL;
		writer = &l->function->instrs[i];
	}
	return writer;
}

static bool is_written(const Loop *l, uint32_t reg) {
	for (uint32_t i = l->first; i < l->end; i++)
		if (ptx_writes(&l->function->instrs[i], reg)) return true;
	return false;
}

static bool is_count(const Loop *l, const PtxInstr *in) {
	const PtxOperand *o = in->operands;
	if ((in->op != OP_ADD && in->op != OP_SUB) || in->guarded || in->noperands != 3) return false;
	return o[0].kind == OPERAND_REG && o[1].kind == OPERAND_REG && o[0].reg == o[1].reg && o[2].kind == OPERAND_INT &&
		   writer_of(l, o[0].reg) == in;
}

static bool is_word(const PtxInstr *in) {
	return in->ntypes && (in->types[0] == T_S32 || in->types[0] == T_U32 || in->types[0] == T_B32);
}

static bool counts_by(const Loop *l, const PtxOperand *counter, const PtxOperand *limit) {
	if (counter->kind != OPERAND_REG || (limit->kind == OPERAND_REG && is_written(l, limit->reg))) return false;
	const PtxInstr *count = writer_of(l, counter->reg);
	return count && is_count(l, count) && is_word(count);
}

/* The comparison that decides whether the loop goes on. */
static const PtxInstr *test_of(const Loop *l) {
	const PtxInstr *test = writer_of(l, last_of(l)->guard);
	if (!test || test->op != OP_SETP || test->guarded || test->noperands != 3 || !is_word(test)) return NULL;
	const PtxOperand *a = &test->operands[1], *b = &test->operands[2];
	return counts_by(l, a, b) || counts_by(l, b, a) ? test : NULL;
}

static bool is_loop(const PtxCfg *cfg, uint32_t block) {
	const PtxBlock *b = &cfg->blocks[block];
	const PtxInstr *last = &cfg->function->instrs[b->end - 1];
	bool again = false;
	for (uint32_t k = 0; k < b->nsucc; k++) again |= b->succ[k] == block;
	return again && last->op == OP_BRA && last->guarded && !cfg->function->instrs[b->first].nounroll;
}

static bool may_be_copied(const PtxInstr *in) {
	const PtxCost cost = ptx_op_cost(in->op);
	uint32_t pieces;
	return !code_sequence(in, &pieces) && cost != COST_CONTROL && cost != COST_BARRIER && in->op != OP_CALL &&
		   in->op != OP_CP && in->op != OP_MBARRIER && in->op != OP_WGMMA;
}

static void find_roles(const Loop *l, uint8_t *role) {
	const PtxInstr *test = test_of(l);
	uint32_t copied = 0;
	if (!test) return;
	for (uint32_t i = l->first; i + 1 < l->end; i++) {
		const PtxInstr *in = &l->function->instrs[i];
		if (!may_be_copied(in)) return;
		copied += in != test && !is_count(l, in) && l->costs[i].issue > 0;
	}
	if (copied > MOST_COPIED || l->end - l->first > UNROLL_MOST) return;
	for (uint32_t i = l->first; i < l->end; i++) {
		const PtxInstr *in = &l->function->instrs[i];
		role[i] = in == test || in == last_of(l) || is_count(l, in) ? UNROLL_ONCE : UNROLL_COPIED;
	}
}

uint8_t *code_unrolled(const Gpu *gpu, const PtxCfg *cfg, const InstrCost *costs) {
	uint8_t *role = xcalloc(cfg->function->ninstrs + 1, sizeof *role);
	for (uint32_t b = 0; b < cfg->nblocks && gpu->cc >= UNROLL_SINCE; b++) {
		const Loop loop = {
			.function = cfg->function, .costs = costs, .first = cfg->blocks[b].first, .end = cfg->blocks[b].end};
		if (is_loop(cfg, b)) find_roles(&loop, role);
	}
	return role;
}
