/* value_uses.h: one pass over the function. */
#include "emu/check/value_uses.h"

static bool in_operand(const PtxOperand *o, uint32_t reg) {
	if ((o->kind == OPERAND_REG || (o->kind == OPERAND_ADDRESS && o->has_base)) && o->reg == reg) return true;
	for (uint32_t i = 0; i < o->nitems; i++)
		if (in_operand(&o->items[i], reg)) return true;
	return false;
}

/* Does the first operand receive a value? Else it is read like the others. */
static bool first_is_written(const PtxInstr *in) {
	if (!in->noperands || in->operands[0].kind == OPERAND_ADDRESS) return false;
	return in->op != OP_ST && in->op != OP_RED && in->op != OP_BAR && in->op != OP_BARRIER && in->op != OP_BRX;
}

static ValueUse more(ValueUse a, ValueUse b) {
	if (a == VALUE_USED || b == VALUE_USED) return VALUE_USED;
	return a == VALUE_SELECTED || b == VALUE_SELECTED ? VALUE_SELECTED : VALUE_IGNORED;
}

static ValueUse use_in(const PtxInstr *in, uint32_t reg) {
	ValueUse use = in->guarded && in->guard == reg ? VALUE_USED : VALUE_IGNORED;
	for (uint32_t i = first_is_written(in) ? 1 : 0; i < in->noperands; i++)
		if (in_operand(&in->operands[i], reg))
			use = more(use, in->op == OP_SELP && i < 3 ? VALUE_SELECTED : VALUE_USED);
	return use;
}

static ValueUse use_of_register(const PtxFunction *f, uint32_t reg) {
	ValueUse use = VALUE_IGNORED;
	for (uint32_t i = 0; i < f->ninstrs && use != VALUE_USED; i++) use = more(use, use_in(&f->instrs[i], reg));
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
