/* scalar.h. Sources: PTX ISA 9.0 at each instruction; what it leaves open is as an H200 does it
 * (docs/reference/exactness.md). */
#include "emu/code/scalar.h"

#include "emu/exec/lanes.h"
#include "emu/exec/out_of_line.h"
#include "emu/exec/tensor_sum.h"

const Op *run_scalar(Warp *w, const Op *op) {
	const PtxInstr *in = instr_of(w, op);
	const ScalarCall *call = op->aux;
	const u32 slots[4] = {op->a, op->b, op->c, op->e};
	u32 pred = 0;
	FOR_LANES(l, w->mask) {
		u64 x[4] = {0};
		for (u32 k = 0; k < 4; k++) {
			if (call->x[k] == 1)
				x[k] = pred_get(w, slots[k], call->negated[k]) >> l & 1;
			else if (call->x[k])
				x[k] = lane_get(w, slots[k], call->x[k], l);
		}
		const u64 r = call->fn(in, op->imm, x);
		if (op->d != NO_SLOT) lane_set(w, op->d, call->d, l, r);
		pred |= (u32)(r >> 32 & 1) << l;
	}
	if (op->extra[0] != NO_SLOT) pred_set(w, op->extra[0], pred);
	return op + 1;
}

/* --- integers ----------------------------------------------------------------------------------------------------- */

static u16 signed_extreme(const PtxInstr *in, s16 a, s16 b) {
	const s16 r = (a < b) == (in->op == OP_MIN) ? a : b;
	return (u16)(r < 0 ? 0 : r);
}
u64 scalar_extreme_s16x2(const PtxInstr *in, s64 imm, const u64 x[4]) {
	return pair(signed_extreme(in, (s16)LO(x[0]), (s16)LO(x[1])), signed_extreme(in, (s16)HI(x[0]), (s16)HI(x[1])));
}

u64 scalar_mad24_hi_sat(const PtxInstr *in, s64 imm, const u64 x[4]) {
	const s64 product = sign24((u32)x[0]) * sign24((u32)x[1]);
	return (u32)saturate32((s32)(product >> 16) + (s64)(s32)x[2]);
}

/* The predicate: whether any bit of the result is set, combined with the predicate given. */
u64 scalar_lop3(const PtxInstr *in, s64 imm, const u64 x[4]) {
	const u32 r = lop3((u32)x[0], (u32)x[1], (u32)x[2], imm);
	const u64 any = r != 0, p = in->combine == BOOL_AND ? any & x[3] : any | x[3];
	return p << 32 | r;
}

u64 scalar_pack(const PtxInstr *in, s64 imm, const u64 x[4]) {
	const u32 bits = (u32)(imm & 31);
	const bool sign = imm & 32;
	const s64 top = sign ? (1 << (bits - 1)) - 1 : (1 << bits) - 1, bottom = sign ? -top - 1 : 0;
	u32 r = bits == 16 ? 0 : (u32)x[2] << (2 * bits);
	for (u32 k = 0; k < 2; k++) {
		const s64 v = (s32)x[k];
		const s64 kept = v > top ? top : v < bottom ? bottom : v;
		r |= ((u32)kept & (u32)low_ones(bits)) << (k ? 0 : bits);
	}
	return r;
}

/* Video instructions: imm 2 or 4 parts. Types: result, a, b. With .add the parts' results are added to c. */
static s64 part_of(u64 x, u32 at, u32 bits, PtxType t) {
	const u64 v = x >> at & low_ones(bits);
	return t == T_S32 ? (s64)(v << (64 - bits)) >> (64 - bits) : (s64)v;
}

static s64 video_part(PtxOp op, s64 a, s64 b) {
	switch (op) {
	case OP_VADD2:
	case OP_VADD4: return a + b;
	case OP_VSUB2:
	case OP_VSUB4: return a - b;
	case OP_VAVRG2:
	case OP_VAVRG4: return a + b < 0 ? (a + b) >> 1 : (a + b + 1) >> 1; /* away from zero */
	case OP_VABSDIFF2:
	case OP_VABSDIFF4: return a > b ? a - b : b - a;
	case OP_VMIN2:
	case OP_VMIN4: return a < b ? a : b;
	default: return a > b ? a : b;
	}
}

u64 scalar_video(const PtxInstr *in, s64 imm, const u64 x[4]) {
	const u32 bits = 32 / (u32)imm;
	const bool sign = in->types[0] == T_S32, sum = in->atomic == ATOM_ADD;
	const s64 top = (s64)low_ones(sign ? bits - 1 : bits), bottom = sign ? -top - 1 : 0;
	u32 packed = 0, added = (u32)x[2];
	for (u32 at = 0; at < 32; at += bits) {
		s64 r = video_part(in->op, part_of(x[0], at, bits, in->types[1]), part_of(x[1], at, bits, in->types[2]));
		if (in->mods & MOD_SAT) r = r > top ? top : r < bottom ? bottom : r;
		packed |= ((u32)r & (u32)low_ones(bits)) << at;
		added += (u32)r;
	}
	return sum ? added : packed;
}

/* --- comparison of pairs ------------------------------------------------------------------------------------------ */

static bool holds(PtxCompare c, f32 a, f32 b) {
	const bool nan = a != a || b != b;
	switch (c) {
	case CMP_EQ: return a == b;
	case CMP_NE: return !nan && a != b;
	case CMP_LT: return a < b;
	case CMP_LE: return a <= b;
	case CMP_GT: return a > b;
	case CMP_GE: return a >= b;
	case CMP_EQU: return nan || a == b;
	case CMP_NEU: return nan || a != b;
	case CMP_LTU: return nan || a < b;
	case CMP_LEU: return nan || a <= b;
	case CMP_GTU: return nan || a > b;
	case CMP_GEU: return nan || a >= b;
	case CMP_NUM: return !nan;
	default: return nan;
	}
}

u64 scalar_set_pair(const PtxInstr *in, s64 imm, const u64 x[4]) {
	const bool brain = in->types[1] == T_BF16X2, flush = (in->mods & MOD_FTZ) && !brain;
	u16 r[2];
	for (u32 k = 0; k < 2; k++) {
		u16 a = (u16)(x[0] >> 16 * k), b = (u16)(x[1] >> 16 * k);
		if (flush && !(a & 0x7c00)) a &= 0x8000;
		if (flush && !(b & 0x7c00)) b &= 0x8000;
		bool yes = holds(in->compare, brain ? bf(a) : half(a), brain ? bf(b) : half(b));
		if (in->combine == BOOL_AND) yes = yes && x[2];
		if (in->combine == BOOL_OR) yes = yes || x[2];
		if (in->combine == BOOL_XOR) yes = yes != (x[2] != 0);
		r[k] = !yes ? 0 : in->types[0] == T_F16X2 ? 0x3c00 : in->types[0] == T_BF16X2 ? 0x3f80 : 0xffff;
	}
	return pair(r[0], r[1]);
}

/* --- .xorsign.abs: the smaller or larger magnitude with the product of the signs ---------------------------------- */

static u16 half_xorsign(const PtxInstr *in, u16 a, u16 b, bool brain) {
	const int nan = (in->mods & MOD_NAN) != 0;
	const bool min = in->op == OP_MIN;
	u16 x = a & 0x7fff, y = b & 0x7fff;
	if ((in->mods & MOD_FTZ) && !brain) {
		if (!(x & 0x7c00)) x = 0;
		if (!(y & 0x7c00)) y = 0;
	}
	const u16 r = brain ? (min ? bf_min(x, y, nan) : bf_max(x, y, nan))
				  : min ? half_min(x, y, nan)
						: half_max(x, y, nan);
	return (r & 0x7fff) > (brain ? 0x7f80 : 0x7c00) ? 0x7fff : (u16)(r | ((a ^ b) & 0x8000));
}

u64 scalar_xorsign(const PtxInstr *in, s64 imm, const u64 x[4]) {
	const PtxType t = in->types[0];
	const bool brain = t == T_BF16 || t == T_BF16X2;
	if (t == T_F16X2 || t == T_BF16X2)
		return pair(half_xorsign(in, LO(x[0]), LO(x[1]), brain), half_xorsign(in, HI(x[0]), HI(x[1]), brain));
	if (t != T_F32) return half_xorsign(in, (u16)x[0], (u16)x[1], brain);
	f32 a = fabsf(bits_f32((u32)x[0])), b = fabsf(bits_f32((u32)x[1]));
	if (in->mods & MOD_FTZ) {
		a = ftz(a);
		b = ftz(b);
	}
	if ((in->mods & MOD_NAN) && (a != a || b != b)) return 0x7fffffffu;
	const f32 r = in->op == OP_MIN ? fmin32(a, b) : fmax32(a, b);
	return r != r ? 0x7fffffffu : f32_bits(r) | ((u32)(x[0] ^ x[1]) & 0x80000000u);
}

/* --- fma.oob: zero where an operand of the product is the NaN that stands for "out of bounds" --------------------- */

static u16 oob_one(const PtxInstr *in, u16 a, u16 b, u16 c, bool brain) {
	if ((a & 0x7fff) == 0x7ff7 || (b & 0x7fff) == 0x7ff7) return 0;
	const u16 r = brain ? bf_fma(a, b, c) : half_fma(a, b, c);
	return !(in->mods & MOD_RELU) ? r : brain ? bf_relu(r) : half_relu(r);
}

u64 scalar_fma_oob(const PtxInstr *in, s64 imm, const u64 x[4]) {
	const PtxType t = in->types[0];
	const bool brain = t == T_BF16 || t == T_BF16X2;
	const u16 low = oob_one(in, LO(x[0]), LO(x[1]), LO(x[2]), brain);
	if (t == T_F16 || t == T_BF16) return low;
	return pair(low, oob_one(in, HI(x[0]), HI(x[1]), HI(x[2]), brain));
}

/* --- conversions that never overflow ------------------------------------------------------------------------------ */

static f64 clamped(f64 x, f64 largest) {
	return x > largest ? largest : x < -largest ? -largest : x;
}

static u64 satfinite_one(const PtxInstr *in, PtxType to, u64 raw) {
	if (in->round == ROUND_RNA) { /* an infinity is one step above the largest; NaNs take that step too */
		const u32 bits = (u32)raw,
				  r = (bits & 0x7fffffffu) > 0x7f800000u ? bits & 0xffffe000u : (bits + 0x1000u) & 0xffffe000u;
		return (r & 0x7f800000u) == 0x7f800000u ? r - 0x2000u : r;
	}
	f64 x = bits_f32((u32)raw);
	if (in->mods & MOD_RELU) x = x > 0 ? x : x != x ? x : 0;
	if (x != x) return to == T_TF32 ? 0x7fffe000u : 0x7fff;
	if (to == T_TF32) return f32_bits((f32)round_narrow(clamped(x, 0x1.ffcp127), 11, -125, 0x1.ffcp127, in->round));
	if (to == T_F16) return to_half((f32)round_narrow(clamped(x, 65504.0), 11, -13, 65504.0, in->round));
	return to_bf((f32)round_narrow(clamped(x, 0x1.fep127), 8, -125, 0x1.fep127, in->round));
}

u64 scalar_satfinite(const PtxInstr *in, s64 imm, const u64 x[4]) {
	const PtxType to = in->types[0];
	if (to == T_F16X2 || to == T_BF16X2) {
		const PtxType part = to == T_F16X2 ? T_F16 : T_BF16;
		return satfinite_one(in, part, x[0]) << 16 | satfinite_one(in, part, x[1]);
	}
	return satfinite_one(in, to, x[0]);
}

/* Eight bits: e4m3 has no infinity and one NaN a sign; e5m2 is the upper half of a half. imm: 1 for e5m2, 2 where the
 * source is f16x2. */
static u8 fp8(f64 x, bool wide) {
	if (x != x) return 0x7f;
	const f64 largest = wide ? 57344.0 : 448.0;
	const f64 y = round_narrow(clamped(x, largest), wide ? 3 : 4, wide ? -13 : -5, largest, ROUND_RN);
	const u16 h = to_half((f32)fabs(y)); /* exact */
	const u8 sign = signbit(x) ? 0x80 : 0;
	if (wide) return (u8)(sign | h >> 8);
	/* e4m3: exponents from 2^-6 on, subnormals in steps of 2^-9 */
	if (fabs(y) < 0x1p-6) return (u8)(sign | (u8)(fabs(y) * 0x1p9));
	return (u8)(sign | ((h >> 7) - (8 << 3)));
}

u64 scalar_to_fp8(const PtxInstr *in, s64 imm, const u64 x[4]) {
	f64 high = imm & 2 ? half(HI(x[0])) : bits_f32((u32)x[0]), low = imm & 2 ? half(LO(x[0])) : bits_f32((u32)x[1]);
	if (in->mods & MOD_RELU) {
		high = high > 0 ? high : high != high ? high : 0;
		low = low > 0 ? low : low != low ? low : 0;
	}
	return (u64)fp8(high, imm & 1) << 8 | fp8(low, imm & 1);
}

static u16 fp8_to_half(u8 v, bool wide, bool relu) {
	const u16 r = fp8_half(v, wide);
	return relu ? half_relu(r) : r;
}

u64 scalar_from_fp8(const PtxInstr *in, s64 imm, const u64 x[4]) {
	const bool relu = in->mods & MOD_RELU;
	return pair(fp8_to_half((u8)x[0], imm & 1, relu), fp8_to_half((u8)(x[0] >> 8), imm & 1, relu));
}
