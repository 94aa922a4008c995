/* Uncommon forms, lowered to a function of one lane (scalar.h). */
#include "emu/code/scalar.h"
#include "emu/lower/lower.h"

enum { PREDICATE = 1 };

static bool call(Lower *L, const PtxInstr *in, ScalarFn fn, int64_t imm, const uint8_t bytes[5]) {
	uint32_t slots[4] = {NO_SLOT, NO_SLOT, NO_SLOT, NO_SLOT};
	ScalarCall *c = arena_alloc(L->arena, sizeof *c);
	const PtxOperand *o = in->operands;
	c->fn = fn;
	c->d = bytes[0];
	for (uint32_t k = 0; k < 4 && bytes[k + 1]; k++) {
		const PtxOperand *x = &o[1 + k + (fn == scalar_lop3 && k == 3)]; /* the table is between */
		c->x[k] = bytes[k + 1];
		c->negated[k] = c->x[k] == PREDICATE && x->negated;
		slots[k] = c->x[k] == PREDICATE ? predicate(L, x) : source(L, x, c->x[k]);
		if (slots[k] == NO_SLOT) return false;
	}
	const bool sink = o[0].kind == OPERAND_SINK;
	const uint32_t d = sink ? NO_SLOT : destination(L, &o[0], c->d);
	if (d == NO_SLOT && !sink) return false;
	Op *op = emit_on(L, H_scalar, d, slots[0], slots[1], slots[2]);
	op->e = slots[3];
	op->imm = imm;
	op->aux = c;
	if (o[0].has_pair) op->extra[0] = L->slot[o[0].pair];
	return true;
}

bool lower_scalar(Lower *L, const PtxInstr *in, const Match *match) {
	return call(L, in, match->row->scalar, match->row->kind | match->choice, match->row->bytes);
}

bool lower_lop3_predicate(Lower *L, const PtxInstr *in, const Match *match) {
	static const uint8_t bytes[5] = {4, 4, 4, 4, PREDICATE};
	uint64_t table;
	return constant_bits(L, &in->operands[4], &table) && call(L, in, scalar_lop3, (int64_t)table, bytes);
}

/* A policy is a hint to caches that the emulator does not have: any value will do. */
bool lower_policy(Lower *L, const PtxInstr *in, const Match *match) {
	const uint32_t d = destination(L, &in->operands[0], 8);
	if (d == NO_SLOT) return false;
	emit_on(L, H_mov_64, d, bits_slot(L, 0, 8), NO_SLOT, NO_SLOT);
	return true;
}

/* Without a space an address is a generic one. */
bool lower_cluster_address(Lower *L, const PtxInstr *in, const Match *match) {
	const bool maps = match->row->kind == H_mapa;
	const uint32_t n = (uint32_t)ptx_type_bytes(in->types[0]);
	const uint32_t d = destination(L, &in->operands[0], maps ? n : 4), a = source(L, &in->operands[1], n);
	const uint32_t rank = maps ? source(L, &in->operands[2], 4) : NO_SLOT;
	if (d == NO_SLOT || a == NO_SLOT || (maps && rank == NO_SLOT)) return false;
	Op *op = emit_on(L, match->row->kind, d, a, rank, NO_SLOT);
	op->container = (uint8_t)n;
	op->space = (uint8_t)in->space;
	return true;
}
