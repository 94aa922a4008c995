/* Comparisons: setp, set, testp. */
#include "emu/lower/lower.h"

/* In the order of PtxCompare from CMP_EQ on; the unsigned names lo ls hi hs stand for lt le gt ge. */
static HandlerId integer_compare(PtxCompare c, uint32_t n, bool sign) {
	switch (c) {
	case CMP_EQ: return n == 2 ? H_eq_16 : n == 4 ? H_eq_32 : H_eq_64;
	case CMP_NE: return n == 2 ? H_ne_16 : n == 4 ? H_ne_32 : H_ne_64;
	case CMP_LO: sign = false; /* fall through */
	case CMP_LT:
		return n == 2   ? (sign ? H_lt_s16 : H_lt_u16)
			   : n == 4 ? (sign ? H_lt_s32 : H_lt_u32)
			   : sign   ? H_lt_s64
						: H_lt_u64;
	case CMP_LS: sign = false; /* fall through */
	case CMP_LE:
		return n == 2   ? (sign ? H_le_s16 : H_le_u16)
			   : n == 4 ? (sign ? H_le_s32 : H_le_u32)
			   : sign   ? H_le_s64
						: H_le_u64;
	case CMP_HI: sign = false; /* fall through */
	case CMP_GT:
		return n == 2   ? (sign ? H_gt_s16 : H_gt_u16)
			   : n == 4 ? (sign ? H_gt_s32 : H_gt_u32)
			   : sign   ? H_gt_s64
						: H_gt_u64;
	case CMP_HS: sign = false; /* fall through */
	case CMP_GE:
		return n == 2   ? (sign ? H_ge_s16 : H_ge_u16)
			   : n == 4 ? (sign ? H_ge_s32 : H_ge_u32)
			   : sign   ? H_ge_s64
						: H_ge_u64;
	default: return H_none;
	}
}

static HandlerId float_compare(PtxCompare c, bool wide) {
	switch (c) {
	case CMP_EQ: return wide ? H_eq_f64 : H_eq_f32;
	case CMP_NE: return wide ? H_ne_f64 : H_ne_f32;
	case CMP_LT: return wide ? H_lt_f64 : H_lt_f32;
	case CMP_LE: return wide ? H_le_f64 : H_le_f32;
	case CMP_GT: return wide ? H_gt_f64 : H_gt_f32;
	case CMP_GE: return wide ? H_ge_f64 : H_ge_f32;
	case CMP_EQU: return wide ? H_equ_f64 : H_equ_f32;
	case CMP_NEU: return wide ? H_neu_f64 : H_neu_f32;
	case CMP_LTU: return wide ? H_ltu_f64 : H_ltu_f32;
	case CMP_LEU: return wide ? H_leu_f64 : H_leu_f32;
	case CMP_GTU: return wide ? H_gtu_f64 : H_gtu_f32;
	case CMP_GEU: return wide ? H_geu_f64 : H_geu_f32;
	case CMP_NUM: return wide ? H_num_f64 : H_num_f32;
	case CMP_NAN: return wide ? H_nan_f64 : H_nan_f32;
	default: return H_none;
	}
}

static uint32_t changed(Lower *L, HandlerId h, uint32_t from, unsigned which) {
	Op *op = emit(L, h);
	op->a = from;
	op->d = L->temp[which];
	return op->d;
}

/* Emits the comparison of a and b of type t into predicate place d. Halves are compared as singles; half 1 is the upper
 * one. */
static bool compare(Lower *L, const PtxInstr *in, PtxType t, uint32_t d, uint32_t a, uint32_t b, unsigned upper) {
	const bool brain = t == T_BF16 || t == T_BF16X2, packed = t == T_F16X2 || t == T_BF16X2;
	HandlerId h;
	if (t == T_F16 || brain || packed) {
		const HandlerId widen = brain ? H_cvt_f32_bf16 : H_cvt_f32_f16;
		temp_slot(L, 0);
		temp_slot(L, 1);
		if (packed) {
			a = changed(L, upper ? H_high_32 : H_low_32, a, 0);
			b = changed(L, upper ? H_high_32 : H_low_32, b, 1);
		}
		temp_slot(L, 2);
		temp_slot(L, 3);
		if ((in->mods & MOD_FTZ) && !brain) {
			a = changed(L, H_ftz_f16, a, 0);
			b = changed(L, H_ftz_f16, b, 1);
		}
		a = changed(L, widen, a, 2);
		b = changed(L, widen, b, 3);
		h = float_compare(in->compare, false);
	} else if (type_float(t)) {
		if (t == T_F32 && (in->mods & MOD_FTZ)) {
			temp_slot(L, 0);
			temp_slot(L, 1);
			a = changed(L, H_ftz_f32, a, 0);
			b = changed(L, H_ftz_f32, b, 1);
		}
		h = float_compare(in->compare, t == T_F64);
	} else {
		h = integer_compare(in->compare, (uint32_t)ptx_type_bytes(t), type_signed(t));
	}
	if (h == H_none) return false;
	Op *op = emit(L, h);
	op->d = d;
	op->a = a;
	op->b = b;
	return true;
}

/* d and e from the raw comparison in `raw`, with in->combine and operand c. */
static bool combine(Lower *L, const PtxInstr *in, uint32_t raw, uint32_t d, uint32_t e, const PtxOperand *c) {
	uint32_t slot = c ? predicate(L, c) : NO_SLOT;
	if (c && slot == NO_SLOT) return false;
	Op *op = emit(L, H_pcombine);
	op->a = raw;
	op->c = slot;
	op->d = d;
	op->e = e;
	op->kind = (uint16_t)in->combine;
	op->flags = c && c->negated ? OPF_NEGATED : 0;
	return true;
}

static uint32_t width(PtxType t) {
	return t == T_F16X2 || t == T_BF16X2 ? 4 : (uint32_t)ptx_type_bytes(t);
}

static bool setp(Lower *L, const PtxInstr *in) {
	if (in->noperands < 3 || !in->ntypes) return false;
	const PtxType t = in->types[0];
	const PtxOperand *d = &in->operands[0], *c = in->noperands > 3 ? &in->operands[3] : NULL;
	const uint32_t n = width(t);
	if (n != 2 && n != 4 && n != 8) return false;
	uint32_t a = source(L, &in->operands[1], n), b = source(L, &in->operands[2], n);
	uint32_t p = d->kind == OPERAND_SINK ? NO_SLOT : predicate(L, d), q = d->has_pair ? L->slot[d->pair] : NO_SLOT;
	if (a == NO_SLOT || b == NO_SLOT || (p == NO_SLOT && q == NO_SLOT)) return false;
	if (t == T_F16X2 || t == T_BF16X2) { /* two comparisons, two results */
		const uint32_t raw = temp_predicate(L);
		if (!compare(L, in, t, raw, a, b, 0) || (p != NO_SLOT && !combine(L, in, raw, p, NO_SLOT, c))) return false;
		return compare(L, in, t, raw, a, b, 1) && (q == NO_SLOT || combine(L, in, raw, q, NO_SLOT, c));
	}
	if (!c && q == NO_SLOT) return compare(L, in, t, p, a, b, 0);
	const uint32_t raw = temp_predicate(L);
	if (c && c->kind == OPERAND_INT) return false;
	return compare(L, in, t, raw, a, b, 0) && combine(L, in, raw, p, q, c);
}

/* set.lt.u32.f32: all ones or 1.0 where it holds, else 0 */
static bool set(Lower *L, const PtxInstr *in) {
	if (in->noperands < 3 || in->ntypes < 2) return false;
	const PtxType dt = in->types[0], t = in->types[1];
	const uint32_t n = width(t);
	if ((n != 2 && n != 4 && n != 8) || t == T_F16X2 || t == T_BF16X2) return false;
	const uint32_t dn = dt == T_F16 || dt == T_BF16 || ptx_type_bytes(dt) == 2 ? 2 : 4;
	uint32_t d = destination(L, &in->operands[0], dn), a = source(L, &in->operands[1], n),
			 b = source(L, &in->operands[2], n);
	if (d == NO_SLOT || a == NO_SLOT || b == NO_SLOT) return false;
	const uint32_t raw = temp_predicate(L);
	if (!compare(L, in, t, raw, a, b, 0)) return false;
	if (in->noperands > 3 &&
		(in->operands[3].kind != OPERAND_REG || !combine(L, in, raw, raw, NO_SLOT, &in->operands[3])))
		return false;
	const uint64_t yes = dt == T_F32    ? 0x3f800000u
						 : dt == T_F16  ? 0x3c00
						 : dt == T_BF16 ? 0x3f80
						 : dn == 2      ? 0xffff
										: 0xffffffffu;
	const uint32_t one = bits_slot(L, yes, dn), zero = bits_slot(L, 0, dn);
	Op *op = emit(L, dn == 2 ? H_selp_16 : H_selp_32);
	op->d = d;
	op->a = one;
	op->b = zero;
	op->c = raw;
	return true;
}

static bool testp(Lower *L, const PtxInstr *in) {
	static const struct {
		PtxWord word;
		HandlerId single, twice;
	} tests[] = {{WORD_FINITE, H_testp_finite_f32, H_testp_finite_f64},
				 {WORD_INFINITE, H_testp_infinite_f32, H_testp_infinite_f64},
				 {WORD_NUMBER, H_testp_number_f32, H_testp_number_f64},
				 {WORD_NOTANUMBER, H_testp_notanumber_f32, H_testp_notanumber_f64},
				 {WORD_NORMAL, H_testp_normal_f32, H_testp_normal_f64},
				 {WORD_SUBNORMAL, H_testp_subnormal_f32, H_testp_subnormal_f64}};
	if (in->noperands != 2 || !type_float(in->types[0])) return false;
	const bool wide = in->types[0] == T_F64;
	uint32_t d = predicate(L, &in->operands[0]), a = source(L, &in->operands[1], wide ? 8 : 4);
	for (size_t i = 0; i < sizeof tests / sizeof *tests && d != NO_SLOT && a != NO_SLOT; i++) {
		if (!ptx_has(in, tests[i].word)) continue;
		Op *op = emit(L, wide ? tests[i].twice : tests[i].single);
		op->d = d;
		op->a = op->b = a;
		return true;
	}
	return false;
}

bool lower_compare(Lower *L, const PtxInstr *in) {
	return in->op == OP_SETP ? setp(L, in) : in->op == OP_SET ? set(L, in) : testp(L, in);
}
