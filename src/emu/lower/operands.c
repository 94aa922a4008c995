/* Operands and Ops: what all translators share. */
#include <string.h>

#include "emu/lower/lower.h"

Op *emit(Lower *L, HandlerId id) {
	vec_push(&L->ops, (Op){.run = handler(id),
						   .d = NO_SLOT,
						   .a = NO_SLOT,
						   .b = NO_SLOT,
						   .c = NO_SLOT,
						   .e = NO_SLOT,
						   .instr = L->instr,
						   .vector = 1,
						   .extra = {NO_SLOT, NO_SLOT}});
	return &vec_last(&L->ops);
}

Op *emit_on(Lower *L, HandlerId id, uint32_t d, uint32_t a, uint32_t b, uint32_t c) {
	Op *op = emit(L, id);
	op->d = d;
	op->a = a;
	op->b = b;
	op->c = c;
	return op;
}

uint32_t temp_slot(Lower *L, unsigned which) {
	if (L->temp[which] == NO_SLOT) L->temp[which] = frame_take(L, SLOT64);
	return L->temp[which];
}

uint32_t temp_predicate(Lower *L) {
	if (L->temp_pred == NO_SLOT) L->temp_pred = frame_take(L, 4);
	return L->temp_pred;
}

uint32_t bits_slot(Lower *L, uint64_t bits, uint32_t container) {
	const Fill f = {.kind = FILL_BITS, .container = (uint8_t)container, .bits = bits};
	return constant_slot(L, &f);
}

uint32_t operand_bytes(const Lower *L, const PtxOperand *o, uint32_t fallback) {
	return o->kind == OPERAND_REG ? register_bytes(L, o->reg) : fallback;
}

uint32_t source(Lower *L, const PtxOperand *o, uint32_t container) {
	Fill f;
	if (o->negated) return NO_SLOT;
	if (constant_operand(L, o, container, &f)) return constant_slot(L, &f);
	if (o->kind != OPERAND_REG || register_bytes(L, o->reg) != container) return NO_SLOT;
	return L->slot[o->reg];
}

uint32_t destination(Lower *L, const PtxOperand *o, uint32_t container) {
	if (o->kind != OPERAND_REG || register_bytes(L, o->reg) != container) return NO_SLOT;
	return L->slot[o->reg];
}

uint32_t predicate(Lower *L, const PtxOperand *o) {
	if (o->kind == OPERAND_INT) { /* a literal true or false */
		uint32_t t = temp_predicate(L);
		Op *op = emit(L, H_pconst);
		op->d = t;
		op->imm = o->bits != 0;
		return t;
	}
	if (o->kind != OPERAND_REG || register_bytes(L, o->reg)) return NO_SLOT;
	return L->slot[o->reg];
}

bool constant_bits(Lower *L, const PtxOperand *o, uint64_t *bits) {
	Fill f;
	uint32_t container = operand_bytes(L, o, 8);
	if (!container || !constant_operand(L, o, container, &f) || f.kind != FILL_BITS) return false;
	*bits = f.bits;
	return true;
}
