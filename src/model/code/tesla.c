/* cc 1.x: what takes no instruction of its own, and what a branch takes that may split a warp. All of it is in the
 * envytools project's description of the instruction set ("Tesla CUDA ISA").
 *
 * - exit and join are modifiers of any instruction but those of control flow and barriers. So a return is part of the
 *   instruction before it; where lanes meet again, only a barrier or a branch needs an instruction before it to join.
 * - A branch pushes the place of the join first (joinat). One to a return is an exit under a condition and needs none;
 *   one back to the beginning of a loop finds it pushed before the loop.
 * - Integer instructions set a condition code from their result, so comparing it with zero takes nothing.
 * - An instruction names a word of shared memory by a register and a constant; where a variable is, is a constant.
 * - A thread finds its index in one register: x in 16 bits, y in 10, z in 6. x and z take one instruction, y takes two
 *   (Mesa's compiler for these GPUs, nv50_ir_lowering_nv50.cpp). The block's index and all dimensions are operands. */
#include <stdlib.h>

#include "base/arena.h"
#include "model/code/code.h"
#include "ptx/analysis/varying.h"

enum { CYCLES = 4 /* of an instruction */ };

static bool is_control(const PtxInstr *in) {
	return ptx_op_cost(in->op) == COST_CONTROL || ptx_op_cost(in->op) == COST_BARRIER;
}

static bool ends_thread(const PtxInstr *in) {
	return in->op == OP_RET || in->op == OP_EXIT;
}

static float split_cost(const PtxFunction *f, uint32_t branch) {
	const PtxOperand *to = &f->instrs[branch].operands[0];
	if (to->kind != OPERAND_LABEL || to->target >= f->ninstrs) return 2 * CYCLES;
	if (to->target <= branch || ends_thread(&f->instrs[to->target])) return 0;
	return is_control(&f->instrs[to->target]) ? 2 * CYCLES : CYCLES;
}

static bool may_split(const PtxInstr *in, const bool *varies) {
	return in->op == OP_BRA && in->guarded && !(in->mods & MOD_UNI) && varies[in->guard];
}

/* --- comparisons with zero ---------------------------------------------------------------------------------------- */

static bool sets_condition(const PtxInstr *in) {
	switch (in->op) {
	case OP_ADD:
	case OP_SUB:
	case OP_MIN:
	case OP_MAX:
	case OP_AND:
	case OP_OR:
	case OP_XOR:
	case OP_NOT:
	case OP_SHL:
	case OP_SHR: return ptx_type_bytes(in->types[0]) == 4 && in->types[0] != T_F32;
	default: return false;
	}
}

static bool compares_with_zero(const PtxInstr *in) {
	return in->op == OP_SETP && ptx_type_bytes(in->types[0]) == 4 && in->types[0] != T_F32 && in->noperands == 3 &&
		   in->operands[1].kind == OPERAND_REG && in->operands[2].kind == OPERAND_INT && !in->operands[2].bits;
}

/* Whether the instruction that computed the compared value is in the same basic block. */
static bool condition_is_set(const PtxFunction *f, const bool *leader, uint32_t i) {
	const uint32_t reg = f->instrs[i].operands[1].reg;
	while (!leader[i] && i-- > 0) {
		if (ptx_writes(&f->instrs[i], reg)) return sets_condition(&f->instrs[i]) && !f->instrs[i].guarded;
	}
	return false;
}

/* --- bases of shared memory --------------------------------------------------------------------------------------- */

static bool *shared_bases(const PtxFunction *f) {
	bool *bases = xcalloc(f->nregs + 1, sizeof *bases);
	for (uint32_t i = 0; i < f->ninstrs; i++) {
		const PtxInstr *in = &f->instrs[i];
		if (in->op == OP_MOV && in->noperands == 2 && in->operands[0].kind == OPERAND_REG &&
			in->operands[1].kind == OPERAND_SYMBOL && in->operands[1].symbol &&
			in->operands[1].symbol->space == SPACE_SHARED)
			bases[in->operands[0].reg] = true;
	}
	return bases;
}

static bool adds_base(const PtxInstr *in, const bool *bases) {
	if (in->op != OP_ADD || in->noperands != 3) return false;
	const PtxOperand *a = &in->operands[1], *b = &in->operands[2];
	return (a->kind == OPERAND_REG && bases[a->reg]) || (b->kind == OPERAND_REG && bases[b->reg]);
}

static float index_cost(const PtxInstr *in) {
	if (in->op != OP_MOV || in->noperands != 2 || in->operands[1].kind != OPERAND_SPECIAL) return 0;
	const PtxSpecial special = in->operands[1].special;
	return special >= SR_NTID ? 0 : special == SR_TID + 1 ? 2 * CYCLES : CYCLES;
}

void code_tesla_costs(const PtxCfg *cfg, const bool *leader, InstrCost *costs) {
	const PtxFunction *f = cfg->function;
	AUTO_FREE bool *varies = ptx_varying(cfg);
	bool *bases = shared_bases(f);
	for (uint32_t i = 0; i < f->ninstrs; i++) {
		const PtxInstr *in = &f->instrs[i];
		costs[i].issue += index_cost(in);
		if (may_split(in, varies)) costs[i].issue += split_cost(f, i);
		if (adds_base(in, bases) || (compares_with_zero(in) && condition_is_set(f, leader, i))) costs[i].issue = 0;
		if (ends_thread(in) && !in->guarded) costs[i].issue = 0;
	}
	free(bases);
}
