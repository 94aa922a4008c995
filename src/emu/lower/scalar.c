/* Uncommon forms, lowered to a function of one lane (scalar.h). */
#include "emu/code/scalar.h"
#include "emu/lower/lower.h"

static bool call(Lower *L, const PtxInstr *in, ScalarFn fn, int64_t imm, const uint8_t bytes[5]) {
	ScalarCall *c = arena_alloc(L->arena, sizeof *c);
	const uint8_t d = in->operands[0].kind == OPERAND_SINK ? 0 : bytes[0];
	Op *op = emit_operands(L, H_scalar, in, (const uint8_t[5]){d, bytes[1], bytes[2], bytes[3], bytes[4]});
	if (!op) return false;
	c->fn = fn;
	c->d = d;
	for (uint32_t k = 0; k < 4 && bytes[k + 1]; k++) {
		c->x[k] = bytes[k + 1];
		c->negated[k] = c->x[k] == PREDICATE && in->operands[k + 1].negated;
	}
	op->imm = imm;
	op->aux = c;
	return true;
}

bool lower_scalar(Lower *L, const PtxInstr *in, const Match *match) {
	return call(L, in, match->row->scalar, match->row->kind | match->choice, match->row->bytes);
}

/* The table, which is not among the sources, is between them. */
bool lower_lop3_predicate(Lower *L, const PtxInstr *in, const Match *match) {
	const PtxOperand *o = in->operands;
	PtxOperand others[5] = {o[0], o[1], o[2], o[3], o[5]};
	PtxInstr without = *in;
	uint64_t table;
	without.operands = others;
	return constant_bits(L, &o[4], &table) &&
		   call(L, &without, scalar_lop3, (int64_t)table, (const uint8_t[5]){4, 4, 4, 4, PREDICATE});
}

/* A policy is a hint to caches that the emulator does not have: any value will do. */
bool lower_policy(Lower *L, const PtxInstr *in, const Match *match) {
	const uint32_t d = destination(L, &in->operands[0], 8);
	if (d == NO_SLOT) return false;
	emit_on(L, H_mov_64, d, bits_slot(L, 0, 8), NO_SLOT, NO_SLOT);
	return true;
}
