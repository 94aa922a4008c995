/* Registers of 128 bits: moves, loads, stores and atomics. Such a register is two lane arrays of 64 bits, the lower
 * half first. */
#include "emu/lower/lower.h"

enum { HALVES = 2 };

static bool halves(const Lower *L, const PtxOperand *o, uint32_t out[HALVES]) {
	if (o->kind != OPERAND_REG || o->negated || register_bytes(L, o->reg) != 16) return false;
	for (uint32_t i = 0; i < HALVES; i++) out[i] = L->slot[o->reg] + i * SLOT64;
	return true;
}

/* mov.b128 q, {%rd1, %rd2}; also four parts of 32 bits */
static bool pack(Lower *L, const PtxOperand *to, const PtxOperand *from) {
	const uint32_t n = from->nitems;
	uint32_t d[HALVES], s[4];
	if ((n != 2 && n != 4) || !halves(L, to, d)) return false;
	for (uint32_t i = 0; i < n; i++)
		if ((s[i] = source(L, &from->items[i], 16 / n)) == NO_SLOT) return false;
	for (uint32_t i = 0; i < HALVES; i++)
		if (n == 2)
			emit_on(L, H_mov_64, d[i], s[i], NO_SLOT, NO_SLOT);
		else
			emit_on(L, H_pack_64_32, d[i], s[2 * i], s[2 * i + 1], NO_SLOT);
	return true;
}

static bool unpack(Lower *L, const PtxOperand *to, const PtxOperand *from) {
	const uint32_t n = to->nitems;
	uint32_t a[HALVES];
	if ((n != 2 && n != 4) || !halves(L, from, a)) return false;
	for (uint32_t i = 0; i < n; i++) {
		if (to->items[i].kind == OPERAND_SINK) continue;
		const uint32_t d = destination(L, &to->items[i], 16 / n);
		if (d == NO_SLOT) return false;
		if (n == 2)
			emit_on(L, H_mov_64, d, a[i], NO_SLOT, NO_SLOT);
		else
			emit_on(L, i & 1 ? H_high_64 : H_low_64, d, a[i / 2], NO_SLOT, NO_SLOT);
	}
	return true;
}

bool lower_move_b128(Lower *L, const PtxInstr *in, const Match *match) {
	const PtxOperand *to = &in->operands[0], *from = &in->operands[1];
	uint32_t d[HALVES], a[HALVES];
	if (to->kind == OPERAND_VECTOR) return unpack(L, to, from);
	if (from->kind == OPERAND_VECTOR) return pack(L, to, from);
	if (!halves(L, to, d) || !halves(L, from, a)) return false;
	for (uint32_t i = 0; i < HALVES; i++) emit_on(L, H_mov_64, d[i], a[i], NO_SLOT, NO_SLOT);
	return true;
}

bool lower_memory_b128(Lower *L, const PtxInstr *in, const Match *match) {
	const bool load = match->row->kind == H_ld_b128;
	uint32_t *list = arena_array(L->arena, HALVES, sizeof *list);
	if (in->noperands != 2 || !halves(L, &in->operands[load ? 0 : 1], list)) return false;
	if (in->space == SPACE_PARAM) return false;
	Op *op = emit_access(L, match->row->kind, in, &in->operands[load ? 1 : 0], 8, HALVES);
	if (!op) return false;
	*(load ? &op->d : &op->b) = list[0];
	op->list = list;
	return true;
}

/* The list: both halves of the operand, then of the result. */
bool lower_atomic_b128(Lower *L, const PtxInstr *in, const Match *match) {
	uint32_t *list = arena_array(L->arena, 2 * HALVES, sizeof *list), c[HALVES] = {NO_SLOT, NO_SLOT};
	const bool cas = in->atomic == ATOM_CAS, result = in->operands[0].kind != OPERAND_SINK;
	if (in->noperands != (cas ? 4u : 3u)) return false;
	if (result && !halves(L, &in->operands[0], list + HALVES)) return false;
	if (!halves(L, &in->operands[2], list) || (cas && !halves(L, &in->operands[3], c))) return false;
	Op *op = emit_access(L, H_atom_b128, in, &in->operands[1], 8, HALVES);
	if (!op) return false;
	op->b = list[0];
	op->c = c[0];
	op->e = c[1];
	op->list = list;
	if (result) op->flags |= OPF_RESULT;
	return true;
}
