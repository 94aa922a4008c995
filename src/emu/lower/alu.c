/* Arithmetic and logic: (op, type, modifiers) to a handler. */
#include "emu/lower/lower.h"

/* A handler for each width, sign included where it matters. */
#define BITS(h) (n == 2 ? H_##h##_16 : n == 4 ? H_##h##_32 : H_##h##_64)
#define INTS(h)                                                                                                        \
	(n == 2   ? (sign ? H_##h##_s16 : H_##h##_u16)                                                                     \
	 : n == 4 ? (sign ? H_##h##_s32 : H_##h##_u32)                                                                     \
			  : (sign ? H_##h##_s64 : H_##h##_u64))
#define HALVES(h)                                                                                                      \
	(t == T_F16 ? H_##h##_f16 : t == T_F16X2 ? H_##h##_f16x2 : t == T_BF16 ? H_##h##_bf16 : H_##h##_bf16x2)

static bool half_type(PtxType t) {
	return t == T_F16 || t == T_F16X2 || t == T_BF16 || t == T_BF16X2;
}
static bool nearest(PtxRound r) {
	return r == ROUND_NONE || r == ROUND_RN;
}

/* --- emitting ----------------------------------------------------------------------------------------------------------------------- */

/* d = h(a, b, c ...): the destination has dn bytes per lane, source k has sn[k]. */
static bool plain(Lower *L, const PtxInstr *in, HandlerId h, uint32_t dn, const uint32_t *sn, uint32_t nsources) {
	uint32_t slots[4] = {NO_SLOT, NO_SLOT, NO_SLOT, NO_SLOT};
	if (h == H_none || in->noperands < 1 + nsources) return false;
	uint32_t d = destination(L, &in->operands[0], dn);
	if (d == NO_SLOT) return false;
	for (uint32_t k = 0; k < nsources; k++) {
		slots[k] = source(L, &in->operands[1 + k], sn[k]);
		if (slots[k] == NO_SLOT) return false;
	}
	Op *op = emit(L, h);
	op->d = d;
	op->a = slots[0];
	op->b = slots[1];
	op->c = slots[2];
	op->e = slots[3];
	return true;
}

static bool same(Lower *L, const PtxInstr *in, HandlerId h, uint32_t n, uint32_t nsources) {
	const uint32_t sn[4] = {n, n, n, n};
	return plain(L, in, h, n, sn, nsources);
}

/* One more step on the destination, in place. */
static bool then(Lower *L, HandlerId h) {
	const uint32_t d = vec_last(&L->ops).d;
	Op *op = emit(L, h);
	op->d = op->a = d;
	return true;
}

/* --- predicates -------------------------------------------------------------------------------------------------------------------------- */

static bool predicates(Lower *L, const PtxInstr *in) {
	HandlerId h = in->op == OP_AND   ? H_pand
				  : in->op == OP_OR  ? H_por
				  : in->op == OP_XOR ? H_pxor
				  : in->op == OP_NOT ? H_pnot
									 : H_none;
	if (h == H_none || in->noperands < 2) return false;
	uint32_t d = predicate(L, &in->operands[0]), a = predicate(L, &in->operands[1]), b = NO_SLOT;
	if (in->noperands > 2) b = predicate(L, &in->operands[2]);
	if (d == NO_SLOT || a == NO_SLOT || (h != H_pnot && b == NO_SLOT)) return false;
	Op *op = emit(L, h);
	op->d = d;
	op->a = a;
	op->b = b;
	op->kind = (uint16_t)(in->operands[1].negated | (in->noperands > 2 && in->operands[2].negated ? 2 : 0));
	return true;
}

/* --- floats --------------------------------------------------------------------------------------------------------------------------------- */

static HandlerId single(const PtxInstr *in) {
	const bool f = in->mods & MOD_FTZ, nan = in->mods & MOD_NAN;
	const bool approx = in->mods & MOD_APPROX;
	switch (in->op) {
	case OP_ADD: return f ? H_add_ftz_f32 : H_add_f32;
	case OP_SUB: return f ? H_sub_ftz_f32 : H_sub_f32;
	case OP_MUL: return f ? H_mul_ftz_f32 : H_mul_f32;
	case OP_FMA:
	case OP_MAD: return f ? H_fma_ftz_f32 : H_fma_f32;
	case OP_DIV: return approx ? (f ? H_div_approx_ftz_f32 : H_div_approx_f32) : f ? H_div_ftz_f32 : H_div_f32;
	case OP_RCP: return f ? H_rcp_ftz_f32 : H_rcp_f32;
	case OP_SQRT: return f ? H_sqrt_ftz_f32 : H_sqrt_f32;
	case OP_RSQRT: return f ? H_rsqrt_ftz_f32 : H_rsqrt_f32;
	case OP_MIN: return nan ? (f ? H_min_nan_ftz_f32 : H_min_nan_f32) : f ? H_min_ftz_f32 : H_min_f32;
	case OP_MAX: return nan ? (f ? H_max_nan_ftz_f32 : H_max_nan_f32) : f ? H_max_ftz_f32 : H_max_f32;
	case OP_NEG: return f ? H_neg_ftz_f32 : H_neg_f32;
	case OP_ABS: return f ? H_abs_ftz_f32 : H_abs_f32;
	case OP_EX2: return f ? H_ex2_ftz_f32 : H_ex2_f32;
	case OP_LG2: return f ? H_lg2_ftz_f32 : H_lg2_f32;
	case OP_SIN: return f ? H_sin_ftz_f32 : H_sin_f32;
	case OP_COS: return f ? H_cos_ftz_f32 : H_cos_f32;
	case OP_TANH: return H_tanh_f32;
	case OP_COPYSIGN: return H_copysign_f32;
	default: return H_none;
	}
}

static HandlerId twice(const PtxInstr *in) {
	switch (in->op) {
	case OP_ADD: return H_add_f64;
	case OP_SUB: return H_sub_f64;
	case OP_MUL: return H_mul_f64;
	case OP_FMA:
	case OP_MAD: return H_fma_f64;
	case OP_DIV: return H_div_f64;
	case OP_RCP: return in->mods & MOD_APPROX ? H_rcp_approx_f64 : H_rcp_f64;
	case OP_SQRT: return H_sqrt_f64;
	case OP_RSQRT: return in->mods & MOD_FTZ ? H_rsqrt_approx_ftz_f64 : H_rsqrt_f64;
	case OP_MIN: return H_min_f64;
	case OP_MAX: return H_max_f64;
	case OP_NEG: return H_neg_f64;
	case OP_ABS: return H_abs_f64;
	case OP_COPYSIGN: return H_copysign_f64;
	default: return H_none;
	}
}

static uint32_t arity(PtxOp op) {
	switch (op) {
	case OP_ADD:
	case OP_SUB:
	case OP_MUL:
	case OP_DIV:
	case OP_MIN:
	case OP_MAX:
	case OP_COPYSIGN: return 2;
	case OP_FMA:
	case OP_MAD: return 3;
	default: return 1;
	}
}

static bool floats(Lower *L, const PtxInstr *in) {
	const bool wide = in->types[0] == T_F64;
	const uint32_t n = wide ? 8 : 4;
	if (in->noperands != 1 + arity(in->op)) return false; /* min and max of three */
	const bool rounds = in->op == OP_ADD || in->op == OP_SUB || in->op == OP_MUL || in->op == OP_FMA ||
						in->op == OP_MAD || in->op == OP_DIV || in->op == OP_RCP || in->op == OP_SQRT;
	if (!nearest(in->round)) return rounds && same(L, in, wide ? H_round_f64 : H_round_f32, n, arity(in->op));
	if (!same(L, in, wide ? twice(in) : single(in), n, arity(in->op))) return false;
	return wide || !(in->mods & MOD_SAT) || then(L, H_sat_f32);
}

static HandlerId half_handler(const PtxInstr *in, PtxType t) {
	const bool nan = in->mods & MOD_NAN, relu = in->mods & MOD_RELU, ftz = in->mods & MOD_FTZ;
	switch (in->op) {
	case OP_ADD: return HALVES(add);
	case OP_SUB: return HALVES(sub);
	case OP_MUL: return ftz && t == T_F16 ? H_mul_ftz_f16 : ftz && t == T_F16X2 ? H_mul_ftz_f16x2 : HALVES(mul);
	case OP_FMA:
		if (ftz && t == T_F16) return relu ? H_fma_relu_ftz_f16 : H_fma_ftz_f16;
		if (ftz && t == T_F16X2) return relu ? H_fma_relu_ftz_f16x2 : H_fma_ftz_f16x2;
		return relu ? HALVES(fma_relu) : HALVES(fma);
	case OP_MIN: return nan ? HALVES(min_nan) : HALVES(min);
	case OP_MAX: return nan ? HALVES(max_nan) : HALVES(max);
	case OP_NEG: return HALVES(neg);
	case OP_ABS: return HALVES(abs);
	case OP_EX2: return HALVES(ex2);
	case OP_TANH: return HALVES(tanh);
	default: return H_none;
	}
}

static bool halves_op(Lower *L, const PtxInstr *in) {
	const PtxType t = in->types[0];
	const bool brain = t == T_BF16 || t == T_BF16X2, packed = t == T_F16X2 || t == T_BF16X2;
	if (!nearest(in->round) || in->noperands != 1 + arity(in->op)) return false;
	if (!same(L, in, half_handler(in, t), packed ? 4 : 2, arity(in->op))) return false;
	if ((in->mods & MOD_FTZ) && !brain) {
		/* Subnormal sources become zero: through copies, so that the registers keep their values. */
		Op last = vec_last(&L->ops);
		L->ops.len--;
		uint32_t *const slots[3] = {&last.a, &last.b, &last.c};
		for (unsigned k = 0; k < arity(in->op); k++) {
			Op *op = emit(L, packed ? H_ftz_f16x2 : H_ftz_f16);
			op->a = *slots[k];
			op->d = *slots[k] = temp_slot(L, k);
		}
		vec_push(&L->ops, last);
		then(L, packed ? H_ftz_f16x2 : H_ftz_f16);
	}
	if (in->mods & MOD_SAT) return !brain && then(L, packed ? H_sat_f16x2 : H_sat_f16);
	return true;
}

/* --- integers ---------------------------------------------------------------------------------------------------------------------------------- */

static bool carries(Lower *L, const PtxInstr *in) {
	const uint32_t n = (uint32_t)ptx_type_bytes(in->types[0]);
	if (n < 4 || !same(L, in, H_carry, n, in->op == OP_MAD || in->op == OP_MADC ? 3 : 2)) return false;
	if (L->carry == NO_SLOT) L->carry = frame_take(L, 4);
	Op *op = &vec_last(&L->ops);
	op->extra[0] = L->carry;
	op->bytes = (uint8_t)n;
	return true;
}

static bool multiply(Lower *L, const PtxInstr *in, bool add) {
	const PtxType t = in->types[0];
	const bool sign = type_signed(t);
	const uint32_t n = (uint32_t)ptx_type_bytes(t);
	if (in->mods & MOD_WIDE) {
		if (n > 4) return false;
		const uint32_t sn[3] = {n, n, 2 * n};
		HandlerId mul = n == 2 ? (sign ? H_mul_wide_s16 : H_mul_wide_u16) : sign ? H_mul_wide_s32 : H_mul_wide_u32;
		HandlerId mad = n == 2 ? (sign ? H_mad_wide_s16 : H_mad_wide_u16) : sign ? H_mad_wide_s32 : H_mad_wide_u32;
		return plain(L, in, add ? mad : mul, 2 * n, sn, add ? 3 : 2);
	}
	if (in->mods & MOD_HI) {
		if (add && (in->mods & MOD_SAT)) return t == T_S32 && same(L, in, H_mad_hi_sat_s32, 4, 3);
		return same(L, in, add ? INTS(mad_hi) : INTS(mul_hi), n, add ? 3 : 2);
	}
	return same(L, in, add ? BITS(mad_lo) : BITS(mul_lo), n, add ? 3 : 2);
}

static bool multiply24(Lower *L, const PtxInstr *in, bool add) {
	const bool sign = type_signed(in->types[0]);
	const bool hi = in->mods & MOD_HI;
	HandlerId h = hi ? (sign ? H_mul24_hi_s32 : H_mul24_hi_u32) : sign ? H_mul24_lo_s32 : H_mul24_lo_u32;
	if (!add) return same(L, in, h, 4, 2);
	if (in->mods & MOD_SAT) return false;
	uint32_t d = destination(L, &in->operands[0], 4), a = source(L, &in->operands[1], 4),
			 b = source(L, &in->operands[2], 4);
	uint32_t c = in->noperands == 4 ? source(L, &in->operands[3], 4) : NO_SLOT;
	if (d == NO_SLOT || a == NO_SLOT || b == NO_SLOT || c == NO_SLOT) return false;
	Op *op = emit(L, h);
	op->d = temp_slot(L, 0);
	op->a = a;
	op->b = b;
	op = emit(L, H_add_32);
	op->d = d;
	op->a = L->temp[0];
	op->b = c;
	return true;
}

static bool with_imm(Lower *L, bool done, int64_t imm) {
	if (done) vec_last(&L->ops).imm = imm;
	return done;
}

static bool lop3(Lower *L, const PtxInstr *in) {
	uint64_t table;
	if (in->noperands != 5 || in->operands[0].has_pair || !constant_bits(L, &in->operands[4], &table)) return false;
	const uint32_t sn[3] = {4, 4, 4};
	return with_imm(L, plain(L, in, H_lop3_32, 4, sn, 3), (int64_t)table);
}

static bool shift(Lower *L, const PtxInstr *in, uint32_t n, bool sign) {
	const uint32_t sn[2] = {n, 4};
	HandlerId right = sign ? (n == 2   ? H_shr_s16
							  : n == 4 ? H_shr_s32
									   : H_shr_s64)
						   : (n == 2   ? H_shr_u16
							  : n == 4 ? H_shr_u32
									   : H_shr_u64);
	return plain(L, in, in->op == OP_SHL ? BITS(shl) : right, n, sn, 2);
}

static bool dot(Lower *L, const PtxInstr *in) {
	const bool a = in->types[0] == T_S32, b = in->types[1] == T_S32;
	static const HandlerId four[] = {H_dp4a_uu, H_dp4a_us, H_dp4a_su, H_dp4a_ss};
	static const HandlerId two[] = {H_dp2a_uu, H_dp2a_us, H_dp2a_su, H_dp2a_ss};
	return with_imm(L, same(L, in, (in->op == OP_DP4A ? four : two)[2 * a + b], 4, 3), in->mods & MOD_HI ? 1 : 0);
}

static bool bit_fields(Lower *L, const PtxInstr *in, uint32_t n, bool sign) {
	const uint32_t take[3] = {n, 4, 4}, put[4] = {n, n, 4, 4};
	switch (in->op) {
	case OP_BFE:
		return n >= 4 && plain(L, in,
							   n == 4 ? (sign ? H_bfe_s32 : H_bfe_u32)
							   : sign ? H_bfe_s64
									  : H_bfe_u64,
							   n, take, 3);
	case OP_BFI: return n >= 4 && plain(L, in, n == 4 ? H_bfi_32 : H_bfi_64, n, put, 4);
	case OP_BFIND: {
		HandlerId h = n == 4 ? (sign ? H_bfind_s32 : H_bfind_u32) : sign ? H_bfind_s64 : H_bfind_u64;
		return n >= 4 && with_imm(L, plain(L, in, h, 4, take, 1), in->mods & MOD_SHIFTAMT ? 1 : 0);
	}
	case OP_POPC: return plain(L, in, n == 4 ? H_popc_32 : H_popc_64, 4, take, 1);
	case OP_CLZ: return plain(L, in, n == 4 ? H_clz_32 : H_clz_64, 4, take, 1);
	default: return same(L, in, n == 4 ? H_brev_32 : H_brev_64, n, 1);
	}
}

static bool integers(Lower *L, const PtxInstr *in) {
	const PtxType t = in->types[0];
	const bool sign = type_signed(t);
	const uint32_t n = (uint32_t)ptx_type_bytes(t);
	if (n != 2 && n != 4 && n != 8) return false;
	switch (in->op) {
	case OP_ADD:
	case OP_SUB:
		if (in->mods & MOD_CC) return carries(L, in);
		if (in->mods & MOD_SAT)
			return t == T_S32 && same(L, in, in->op == OP_ADD ? H_add_sat_s32 : H_sub_sat_s32, 4, 2);
		return same(L, in, in->op == OP_ADD ? BITS(add) : BITS(sub), n, 2);
	case OP_ADDC:
	case OP_SUBC:
	case OP_MADC: return carries(L, in);
	case OP_MUL: return multiply(L, in, false);
	case OP_MAD: return in->mods & MOD_CC ? carries(L, in) : multiply(L, in, true);
	case OP_MUL24: return n == 4 && multiply24(L, in, false);
	case OP_MAD24: return n == 4 && multiply24(L, in, true);
	case OP_DIV: return same(L, in, INTS(div), n, 2);
	case OP_REM: return same(L, in, INTS(rem), n, 2);
	case OP_MIN: return same(L, in, in->mods & MOD_RELU ? H_min_relu_s32 : INTS(min), n, 2);
	case OP_MAX: return same(L, in, in->mods & MOD_RELU ? H_max_relu_s32 : INTS(max), n, 2);
	case OP_SAD: return same(L, in, INTS(sad), n, 3);
	case OP_NEG: return same(L, in, BITS(neg), n, 1);
	case OP_ABS: return same(L, in, n == 2 ? H_abs_s16 : n == 4 ? H_abs_s32 : H_abs_s64, n, 1);
	case OP_AND: return same(L, in, BITS(and), n, 2);
	case OP_OR: return same(L, in, BITS(or), n, 2);
	case OP_XOR: return same(L, in, BITS(xor), n, 2);
	case OP_NOT: return same(L, in, BITS(not ), n, 1);
	case OP_CNOT: return same(L, in, BITS(cnot), n, 1);
	case OP_SHL:
	case OP_SHR: return shift(L, in, n, sign);
	case OP_SHF: {
		const bool left = in->mods & MOD_LEFT, wrap = in->mods & MOD_WRAP;
		return n == 4 && same(L, in,
							  left   ? (wrap ? H_shf_l_wrap : H_shf_l_clamp)
							  : wrap ? H_shf_r_wrap
									 : H_shf_r_clamp,
							  4, 3);
	}
	case OP_LOP3: return n == 4 && lop3(L, in);
	case OP_BFE:
	case OP_BFI:
	case OP_BFIND:
	case OP_POPC:
	case OP_CLZ:
	case OP_BREV: return n >= 4 && bit_fields(L, in, n, sign);
	case OP_DP4A:
	case OP_DP2A: return dot(L, in);
	case OP_BMSK: return same(L, in, in->mods & MOD_WRAP ? H_bmsk_wrap : H_bmsk_clamp, 4, 2);
	case OP_SZEXT:
		return same(L, in,
					sign ? (in->mods & MOD_WRAP ? H_szext_wrap_s32 : H_szext_clamp_s32)
						 : (in->mods & MOD_WRAP ? H_szext_wrap_u32 : H_szext_clamp_u32),
					4, 2);
	case OP_FNS: return n == 4 && same(L, in, H_fns_32, 4, 3);
	default: return false;
	}
}

static bool prmt(Lower *L, const PtxInstr *in) {
	static const PtxWord modes[] = {WORD_F4E, WORD_B4E, WORD_RC8, WORD_ECL, WORD_ECR, WORD_RC16};
	int mode = 0;
	for (int i = 0; i < 6; i++)
		if (ptx_has(in, modes[i])) mode = 1 + i;
	return with_imm(L, same(L, in, H_prmt_32, 4, 3), mode);
}

bool lower_alu(Lower *L, const PtxInstr *in) {
	const PtxType t = in->ntypes ? in->types[0] : T_NONE;
	if (in->op == OP_PRMT) return prmt(L, in);
	if (t == T_PRED) return predicates(L, in);
	if (type_float(t)) return floats(L, in);
	if (half_type(t)) return halves_op(L, in);
	return integers(L, in);
}
