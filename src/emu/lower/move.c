/* Moves, packing, conversions between types and address spaces. */
#include "emu/lower/lower.h"

static HandlerId mover(uint32_t n) {
	return n == 2 ? H_mov_16 : n == 4 ? H_mov_32 : H_mov_64;
}

static bool move(Lower *L, uint32_t d, uint32_t a, uint32_t n) {
	if (d == NO_SLOT || a == NO_SLOT) return false;
	emit_on(L, mover(n), d, a, NO_SLOT, NO_SLOT);
	return true;
}

bool lower_move_predicate(Lower *L, const PtxInstr *in, const Match *match) {
	const PtxOperand *o = &in->operands[1];
	uint32_t d = predicate(L, &in->operands[0]);
	if (d == NO_SLOT) return false;
	if (o->kind == OPERAND_INT) {
		Op *op = emit(L, H_pconst);
		op->d = d;
		op->imm = o->bits != 0;
		return true;
	}
	uint32_t a = predicate(L, o);
	if (a == NO_SLOT) return false;
	Op *op = emit_on(L, H_pmov, d, a, NO_SLOT, NO_SLOT);
	op->kind = o->negated;
	return true;
}

/* mov.b64 %rd, {%r1, %r2}; also four 16-bit parts, or two into 32 bits */
static bool pack(Lower *L, const PtxOperand *to, const PtxOperand *from) {
	const uint32_t dn = operand_bytes(L, to, 0), n = from->nitems, part = n ? dn / n : 0;
	uint32_t d = destination(L, to, dn), s[4];
	if (d == NO_SLOT || (n != 2 && n != 4) || part < 2) return false;
	for (uint32_t i = 0; i < n; i++)
		if ((s[i] = source(L, &from->items[i], part)) == NO_SLOT) return false;
	if (n == 2) return emit_on(L, dn == 8 ? H_pack_64_32 : H_pack_32_16, d, s[0], s[1], NO_SLOT);
	const uint32_t lo = temp_slot(L, 0), hi = temp_slot(L, 1);
	emit_on(L, H_pack_32_16, lo, s[0], s[1], NO_SLOT);
	emit_on(L, H_pack_32_16, hi, s[2], s[3], NO_SLOT);
	return emit_on(L, H_pack_64_32, d, lo, hi, NO_SLOT);
}

/* mov.b64 {%r1, %r2}, %rd. Through copies: a part's place may be the source's. */
static bool unpack(Lower *L, const PtxOperand *to, const PtxOperand *from) {
	const uint32_t n = to->nitems, first = n ? operand_bytes(L, &to->items[0], 0) : 0;
	uint32_t sn = operand_bytes(L, from, 0);
	if (!sn) sn = first * n;
	uint32_t a = source(L, from, sn);
	if (a == NO_SLOT || (n != 2 && n != 4) || (sn != 4 && sn != 8)) return false;
	const uint32_t part = sn / n;
	if (part < 2) return false;
	for (uint32_t i = 0; i < n; i++) {
		if (to->items[i].kind == OPERAND_SINK) continue;
		uint32_t d = destination(L, &to->items[i], part), from_slot = a;
		if (d == NO_SLOT) return false;
		HandlerId h = sn == 8 ? (i ? H_high_64 : H_low_64) : i ? H_high_32 : H_low_32;
		if (n == 4) {
			from_slot = temp_slot(L, i / 2);
			emit_on(L, i / 2 ? H_high_64 : H_low_64, from_slot, a, NO_SLOT, NO_SLOT);
			h = i & 1 ? H_high_32 : H_low_32;
		}
		emit_on(L, h, d, from_slot, NO_SLOT, NO_SLOT);
	}
	return true;
}

static bool clock_move(Lower *L, const PtxInstr *in, uint32_t n) {
	const PtxSpecial sr = in->operands[1].special;
	const bool known = sr == SR_CLOCK || sr == SR_CLOCK_HI || sr == SR_CLOCK64 || sr == SR_GLOBALTIMER ||
					   sr == SR_GLOBALTIMER_LO || sr == SR_GLOBALTIMER_HI;
	uint32_t d = destination(L, &in->operands[0], n);
	if (!known || d == NO_SLOT) return false;
	Op *op = emit(L, H_clock);
	op->d = d;
	op->kind = (uint16_t)sr;
	op->container = (uint8_t)n;
	return true;
}

bool lower_move(Lower *L, const PtxInstr *in, const Match *match) {
	const PtxOperand *d = &in->operands[0], *a = &in->operands[1];
	if (d->kind == OPERAND_VECTOR) return a->kind != OPERAND_VECTOR && unpack(L, d, a);
	if (a->kind == OPERAND_VECTOR) return pack(L, d, a);
	const uint32_t n = operand_bytes(L, d, 0);
	if (n != 2 && n != 4 && n != 8) return false;
	if (a->kind == OPERAND_SPECIAL && a->special >= SR_CLOCK && a->special < SR_DYNAMIC_SMEM_SIZE)
		return clock_move(L, in, n);
	return move(L, destination(L, d, n), source(L, a, n), n);
}

/* --- address spaces ----------------------------------------------------------------------------------------------- */

bool lower_cvta(Lower *L, const PtxInstr *in, const Match *match) {
	uint64_t window;
	if (!window_of(in->space, &window)) return false;
	const uint32_t n = operand_bytes(L, &in->operands[0], 8);
	uint32_t sn = operand_bytes(L, &in->operands[1], n);
	uint32_t d = destination(L, &in->operands[0], n), a = source(L, &in->operands[1], sn);
	if (d == NO_SLOT || a == NO_SLOT || n < 4) return false;
	if (window == 0 && n == sn) return move(L, d, a, n);
	Op *op = emit_on(L, H_cvta, d, a, NO_SLOT, NO_SLOT);
	op->imm = (int64_t)(in->mods & MOD_TO ? 0 - window : window);
	op->kind = (uint16_t)(n | sn << 8);
	return true;
}

bool lower_isspacep(Lower *L, const PtxInstr *in, const Match *match) {
	Op *op = emit_places(L, H_isspacep, in, match->row->operands);
	if (!op) return false;
	op->kind = (uint16_t)in->space;
	op->imm = (in->mods & MOD_SHARED_CLUSTER) != 0;
	return true;
}

/* --- conversions -------------------------------------------------------------------------------------------------- */

/* Any conversion that alu.def has no row for, which takes registers of the widths at hand. */
bool lower_convert(Lower *L, const PtxInstr *in, const Match *match) {
	const bool packed = in->noperands == 3;
	const uint32_t dn = operand_bytes(L, &in->operands[0], 0), bytes = (uint32_t)ptx_type_bytes(in->types[1]);
	uint32_t sn = operand_bytes(L, &in->operands[1], 0);
	if (!sn) sn = bytes <= 2 ? 2 : bytes;
	uint32_t d = destination(L, &in->operands[0], dn), a = source(L, &in->operands[1], sn);
	uint32_t b = packed ? source(L, &in->operands[2], sn) : NO_SLOT;
	if (d == NO_SLOT || a == NO_SLOT || (packed && b == NO_SLOT) || dn < ptx_type_bytes(in->types[0]) || sn < bytes)
		return false;
	Op *op = emit_on(L, H_cvt_any, d, a, b, NO_SLOT);
	op->kind = (uint16_t)(dn | sn << 8);
	return true;
}
