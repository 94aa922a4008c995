/* value_uses.h: one pass over the function. */
#include "emu/check/value_uses.h"

#include "ptx/analysis/cfg.h"

static ValueUse more(ValueUse a, ValueUse b) {
	if (a == VALUE_USED || b == VALUE_USED) return VALUE_USED;
	return a == VALUE_SELECTED || b == VALUE_SELECTED ? VALUE_SELECTED : VALUE_IGNORED;
}

static ValueUse use_in(const PtxFunction *f, const PtxInstr *in, uint32_t reg) {
	if (!ptx_reads(in, reg)) return VALUE_IGNORED;
	return in->op == OP_SELP && f->regs[reg].type != T_PRED ? VALUE_SELECTED : VALUE_USED;
}

static ValueUse use_of_register(const PtxFunction *f, uint32_t reg) {
	ValueUse use = VALUE_IGNORED;
	for (uint32_t i = 0; i < f->ninstrs && use != VALUE_USED; i++) use = more(use, use_in(f, &f->instrs[i], reg));
	return use;
}

ValueUse value_use(const PtxFunction *f, const PtxInstr *in) {
	if (!in->noperands) return VALUE_USED;
	const PtxOperand *to = &in->operands[0];
	if (to->kind == OPERAND_SINK) return VALUE_IGNORED;
	if (to->kind == OPERAND_REG) return use_of_register(f, to->reg);
	ValueUse use = VALUE_IGNORED;
	for (uint32_t i = 0; to->kind == OPERAND_VECTOR && i < to->nitems; i++)
		if (to->items[i].kind == OPERAND_REG) use = more(use, use_of_register(f, to->items[i].reg));
	return to->kind == OPERAND_VECTOR ? use : VALUE_USED;
}
