/* Comparisons: setp, set, testp. */
#include "emu/lower/lower.h"

static uint32_t changed(Lower *L, HandlerId h, uint32_t from, unsigned which) {
	return emit_on(L, h, temp_slot(L, which), from, NO_SLOT, NO_SLOT)->d;
}

/* Emits the comparison of a and b into predicate place d. Halves are compared as singles; half 1 is the upper
 * one. */
static void compare(Lower *L, const PtxInstr *in, HandlerId h, uint32_t d, uint32_t a, uint32_t b, unsigned upper) {
	const PtxType t = in->types[in->ntypes - 1];
	const bool brain = t == T_BF16 || t == T_BF16X2, packed = t == T_F16X2 || t == T_BF16X2;
	if (t == T_F16 || brain || packed) {
		const HandlerId widen = brain ? H_cvt_f32_bf16 : H_cvt_f32_f16;
		if (packed) {
			a = changed(L, upper ? H_high_32 : H_low_32, a, 0);
			b = changed(L, upper ? H_high_32 : H_low_32, b, 1);
		}
		if ((in->mods & MOD_FTZ) && !brain) {
			a = changed(L, H_ftz_f16, a, 0);
			b = changed(L, H_ftz_f16, b, 1);
		}
		a = changed(L, widen, a, 2);
		b = changed(L, widen, b, 3);
	} else if (t == T_F32 && (in->mods & MOD_FTZ)) {
		a = changed(L, H_ftz_f32, a, 0);
		b = changed(L, H_ftz_f32, b, 1);
	}
	emit_on(L, h, d, a, b, NO_SLOT);
}

/* d and e from the raw comparison in `raw`, with in->combine and operand c. */
static bool combine(Lower *L, const PtxInstr *in, uint32_t raw, uint32_t d, uint32_t e, const PtxOperand *c) {
	uint32_t slot = c ? predicate(L, c) : NO_SLOT;
	if (c && slot == NO_SLOT) return false;
	Op *op = emit_on(L, H_pcombine, d, raw, NO_SLOT, slot);
	op->e = e;
	op->kind = (uint16_t)in->combine;
	op->flags = c && c->negated ? OPF_NEGATED : 0;
	return true;
}

static bool setp(Lower *L, const PtxInstr *in, HandlerId h) {
	const PtxType t = in->types[0];
	const PtxOperand *d = &in->operands[0], *c = in->noperands > 3 ? &in->operands[3] : NULL;
	const uint32_t n = (uint32_t)ptx_type_bytes(t);
	uint32_t a = source(L, &in->operands[1], n), b = source(L, &in->operands[2], n);
	uint32_t p = d->kind == OPERAND_SINK ? NO_SLOT : predicate(L, d), q = d->has_pair ? L->slot[d->pair] : NO_SLOT;
	if (a == NO_SLOT || b == NO_SLOT || (p == NO_SLOT && q == NO_SLOT)) return false;
	if (t == T_F16X2 || t == T_BF16X2) { /* two comparisons, two results */
		const uint32_t raw = temp_predicate(L);
		compare(L, in, h, raw, a, b, 0);
		if (p != NO_SLOT && !combine(L, in, raw, p, NO_SLOT, c)) return false;
		compare(L, in, h, raw, a, b, 1);
		return q == NO_SLOT || combine(L, in, raw, q, NO_SLOT, c);
	}
	const bool plain = !c && q == NO_SLOT;
	const uint32_t raw = plain ? p : temp_predicate(L);
	if (c && c->kind == OPERAND_INT) return false;
	compare(L, in, h, raw, a, b, 0);
	return plain || combine(L, in, raw, p, q, c);
}

/* set.lt.u32.f32: all ones or 1.0 where it holds, else 0 */
static bool set(Lower *L, const PtxInstr *in, HandlerId h) {
	const PtxType dt = in->types[0];
	const uint32_t n = (uint32_t)ptx_type_bytes(in->types[1]), dn = ptx_type_bytes(dt) == 2 ? 2 : 4;
	uint32_t d = destination(L, &in->operands[0], dn), a = source(L, &in->operands[1], n),
			 b = source(L, &in->operands[2], n);
	if (d == NO_SLOT || a == NO_SLOT || b == NO_SLOT) return false;
	const uint32_t raw = temp_predicate(L);
	compare(L, in, h, raw, a, b, 0);
	if (in->noperands > 3 &&
		(in->operands[3].kind != OPERAND_REG || !combine(L, in, raw, raw, NO_SLOT, &in->operands[3])))
		return false;
	const uint64_t yes = dt == T_F32    ? 0x3f800000u
						 : dt == T_F16  ? 0x3c00
						 : dt == T_BF16 ? 0x3f80
						 : dn == 2      ? 0xffff
										: 0xffffffffu;
	const uint32_t one = bits_slot(L, yes, dn), zero = bits_slot(L, 0, dn);
	emit_on(L, dn == 2 ? H_selp_16 : H_selp_32, d, one, zero, raw);
	return true;
}

static bool testp(Lower *L, const PtxInstr *in, HandlerId h) {
	Op *op = emit_places(L, h, in, "dp aT");
	if (op) op->b = op->a;
	return op;
}

bool lower_compare(Lower *L, const PtxInstr *in, const Match *match) {
	const HandlerId h = match->row->kind;
	if (in->op == OP_TESTP) return in->noperands == 2 && testp(L, in, h);
	if (in->noperands != (in->combine ? 4 : 3)) return false;
	return in->op == OP_SETP ? setp(L, in, h) : set(L, in, h);
}
