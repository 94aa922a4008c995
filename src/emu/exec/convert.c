/* Conversions between any two types, arithmetic with directed rounding, and carries: one lane at a time. */
#include <fenv.h>
#include <string.h>

#include "emu/exec/lanes.h"
#include "emu/exec/out_of_line.h"

/* An intermediate value, exact for every source type. */
typedef struct {
	bool is_float;
	bool is_signed;
	u64 bits;  /* integers, sign-extended */
	f64 value; /* floats */
} Value;

static bool is_float(PtxType t) {
	return t == T_F64 || t == T_F32 || t == T_F16 || t == T_BF16 || t == T_TF32;
}
static bool is_signed(PtxType t) {
	return t == T_S8 || t == T_S16 || t == T_S32 || t == T_S64;
}

static Value fetch(PtxType t, u64 raw, bool flush) {
	Value v = {.is_float = is_float(t), .is_signed = is_signed(t)};
	size_t bytes = ptx_type_bytes(t);
	switch (t) {
	case T_F64: v.value = bits_f64(raw); break;
	case T_F32: v.value = flush ? canon(ftz(bits_f32((u32)raw))) : bits_f32((u32)raw); break;
	case T_F16: v.value = half((u16)raw); break;
	case T_BF16: v.value = bf((u16)raw); break;
	default:
		v.bits = bytes < 8 ? raw << (64 - 8 * bytes) >> (64 - 8 * bytes) : raw;
		if (v.is_signed && bytes < 8) v.bits = (u64)((s64)(raw << (64 - 8 * bytes)) >> (64 - 8 * bytes));
		break;
	}
	return v;
}

static f64 round_to_integer(f64 x, PtxRound r) {
	switch (r) {
	case ROUND_RNI: return rint(x);
	case ROUND_RMI: return floor(x);
	case ROUND_RPI: return ceil(x);
	default: return trunc(x);
	}
}

/* Floats saturate when they become integers. A NaN becomes 0, or the lone top bit where either side has 64 bits (seen
 * on GPUs). */
static u64 float_to_integer(f64 x, PtxType from, PtxType to) {
	unsigned n = 8 * (unsigned)ptx_type_bytes(to);
	if (x != x) {
		return n == 64 || from == T_F64 ? (u64)1 << (n - 1) : 0;
	}
	if (is_signed(to)) {
		f64 top = ldexp(1.0, (int)n - 1);
		if (x >= top) return low_ones(n - 1);
		if (x < -top) return ~low_ones(n - 1);
		return (u64)(s64)x;
	}
	if (x <= 0) return 0;
	return x >= ldexp(1.0, (int)n) ? low_ones(n) : (u64)x;
}

static u64 integer_to_integer(Value v, PtxType to, bool sat) {
	if (!sat) return v.bits;
	unsigned n = 8 * (unsigned)ptx_type_bytes(to);
	if (is_signed(to)) {
		s64 top = (s64)low_ones(n - 1);
		if (!v.is_signed) return v.bits > (u64)top ? (u64)top : v.bits;
		return (s64)v.bits > top ? (u64)top : (s64)v.bits < ~top ? (u64)~top : v.bits;
	}
	if (v.is_signed && (s64)v.bits < 0) return 0;
	return v.bits > low_ones(n) ? low_ones(n) : v.bits;
}

static int host_rounding(PtxRound r) {
	switch (r) {
	case ROUND_RZ: return FE_TOWARDZERO;
	case ROUND_RM: return FE_DOWNWARD;
	case ROUND_RP: return FE_UPWARD;
	default: return FE_TONEAREST;
	}
}

/* To a narrow float (keep mantissa bits, least exponent) in any rounding: the value is scaled so that its last kept bit
 * has weight one, rounded to an integer, and scaled back; all steps but the rounding are exact. */
f64 round_narrow(f64 x, int keep, int least, f64 largest, PtxRound r) {
	if (x == 0 || x != x || fabs(x) == INFINITY) return x;
	int e;
	frexp(x, &e);
	int ulp = (e > least ? e : least) - keep;
	f64 scaled = ldexp(x, -ulp);
	f64 whole = r == ROUND_RZ    ? trunc(scaled)
				: r == ROUND_RM  ? floor(scaled)
				: r == ROUND_RP  ? ceil(scaled)
				: r == ROUND_RNA ? round(scaled)
								 : rint(scaled);
	f64 y = copysign(ldexp(whole, ulp), x);
	if (fabs(y) <= largest) return y;
	bool away =
		r == ROUND_NONE || r == ROUND_RN || r == ROUND_RNA || (r == ROUND_RP && x > 0) || (r == ROUND_RM && x < 0);
	return copysign(away ? INFINITY : largest, x);
}

/* Integers of 64 bits do not fit a double: they are rounded on the way to the destination by the host, in the given
 * mode. Compilers make an unsigned one of a difference, which is -0 for 0 when rounding down. */
static u64 integer_to_float(Value v, PtxType to, PtxRound r) {
	if (!v.bits) return 0;
	int old = fegetround();
	fesetround(host_rounding(r));
	volatile u64 raw = v.bits;
	volatile f32 s = 0;
	volatile f64 d = 0;
	if (to == T_F64)
		d = v.is_signed ? (f64)(s64)raw : (f64)raw;
	else if (to == T_F32)
		s = v.is_signed ? (f32)(s64)raw : (f32)raw;
	fesetround(old);
	if (to == T_F64) return f64_bits(d);
	if (to == T_F32) return f32_bits(s);
	/* Half and bfloat16: a double holds all that matters, with the rest of a long integer kept as an odd last bit. */
	s64 top = (s64)raw;
	f64 x = v.is_signed ? (f64)(s64)((u64)top & ~2047ull) : (f64)(raw >> 11 << 11);
	f64 y = odd_sum(x, (f64)(raw & 2047));
	y = to == T_F16 ? round_narrow(y, 11, -13, 65504.0, r) : round_narrow(y, 8, -125, 0x1.fep127, r);
	return to == T_F16 ? to_half((f32)y) : to_bf((f32)y);
}

static u64 float_to_float(f64 x, PtxType to, PtxRound r, u32 mods) {
	if (r == ROUND_RNI || r == ROUND_RZI || r == ROUND_RMI || r == ROUND_RPI) x = round_to_integer(x, r);
	if (mods & MOD_SAT) x = x > 0 ? (x < 1 ? x : 1.0) : 0.0;
	if (mods & MOD_RELU) x = x > 0 ? x : x != x ? x : 0.0;
	switch (to) {
	case T_F64: return f64_bits(x);
	case T_F32: {
		f32 y = (f32)round_narrow(x, 24, -125, 0x1.fffffep127, r);
		return f32_bits(canon(mods & MOD_FTZ ? ftz(y) : y));
	}
	case T_F16: return to_half((f32)round_narrow(x, 11, -13, 65504.0, r));
	case T_TF32: {
		u32 b = f32_bits((f32)round_narrow(x, 11, -125, 0x1.ffcp127, r));
		return x != x ? 0x7fffe000u : b;
	}
	default: return to_bf((f32)round_narrow(x, 8, -125, 0x1.fep127, r));
	}
}

/* Some NaNs keep what fits of their payload; most become the canonical one. */
static bool keeps_nan(PtxType from, PtxType to, PtxRound r, u32 mods, u64 raw, u64 *out) {
	const u32 top = (u32)(raw >> 32), sign = top & 0x80000000u;
	if (mods & (MOD_SAT | MOD_RELU)) return false;
	if (from == T_F32 && to == T_F32 && !(mods & MOD_FTZ)) return *out = raw, true;
	if (from == T_BF16 && to == T_F32 && !(mods & MOD_FTZ)) return *out = raw << 16, true;
	if (from == T_F32 && to == T_TF32 && r == ROUND_RNA) return *out = raw & 0xffffe000u, true;
	if (from != T_F64) return false;
	if (to == T_F32) return *out = sign | 0x7fc00000u | ((u32)(raw >> 29) & 0x3fffffu), true;
	if (to == T_F16) return *out = sign >> 16 | 0x7e00u | ((u32)(raw >> 42) & 0x1ffu), true;
	if (to == T_BF16) return *out = sign >> 16 | 0x7fc0u | ((u32)(raw >> 45) & 0x3fu), true;
	return false;
}

static u64 convert(u64 raw, PtxType from, PtxType to, PtxRound r, u32 mods) {
	const Value v = fetch(from, raw, (mods & MOD_FTZ) && to != T_F16);
	u64 nan;
	if (v.is_float && v.value != v.value && (r < ROUND_RNI) && keeps_nan(from, to, r, mods, raw, &nan)) return nan;
	if (is_float(to) && v.is_float) return float_to_float(v.value, to, r, mods);
	if (is_float(to) && (mods & MOD_SAT)) /* 0 or 1 */
		return integer_to_float((Value){.bits = v.bits != 0 && (!v.is_signed || (s64)v.bits > 0)}, to, r);
	if (is_float(to)) return integer_to_float(v, to, r);
	if (v.is_float) return float_to_integer(round_to_integer(v.value, r), from, to);
	return integer_to_integer(v, to, mods & MOD_SAT);
}

/* kind: the destination's register bytes, with the source's in the next byte. Two sources: the packed forms (f16x2 from
 * f32). */
const Op *run_cvt_any(Warp *w, const Op *op) {
	const PtxInstr *in = instr_of(w, op);
	const u32 dc = op->kind & 255, sc = op->kind >> 8;
	const PtxType to = in->types[0], from = in->types[1];
	FOR_LANES(l, w->mask) {
		u64 a = lane_get(w, op->a, sc, l), r;
		if (to == T_F16X2 || to == T_BF16X2) {
			PtxType part = to == T_F16X2 ? T_F16 : T_BF16;
			u64 b = lane_get(w, op->b, sc, l);
			r = convert(a, from, part, in->round, in->mods) << 16 | convert(b, from, part, in->round, in->mods);
		} else {
			r = convert(a, from, to, in->round, in->mods);
			size_t bytes = ptx_type_bytes(to);
			if (bytes < dc) {
				u32 up = 64 - 8 * (u32)bytes;
				r = is_signed(to) ? (u64)((s64)(r << up) >> up) : r << up >> up;
			}
		}
		lane_set(w, op->d, dc, l, r);
	}
	return op + 1;
}

/* --- directed rounding: the host's own, one operation at a time --------------------------------------------------- */

#define COMPUTE(T, sqrt, fma)                                                                                          \
	static T compute_##T(PtxOp op, volatile T a, volatile T b, volatile T c) {                                         \
		switch (op) {                                                                                                  \
		case OP_ADD: return a + b;                                                                                     \
		case OP_SUB: return a - b;                                                                                     \
		case OP_MUL: return a * b;                                                                                     \
		case OP_DIV: return a / b;                                                                                     \
		case OP_RCP: return 1 / a;                                                                                     \
		case OP_SQRT: return sqrt(a);                                                                                  \
		default: return fma(a, b, c);                                                                                  \
		}                                                                                                              \
	}
COMPUTE(f32, sqrtf, fmaf)
COMPUTE(f64, sqrt, fma)

/* Whether a result that came out as the smallest normal number is tiny: less than it when rounded with as many bits and
 * no least exponent. Only rounding away from zero can get there from below. */
static bool tiny(PtxOp op, volatile f64 a, volatile f64 b, volatile f64 c) {
	const int old = fegetround();
	volatile f64 x = 1;
	fesetround(FE_TONEAREST);
	if (op == OP_MUL) x = a * b;
	if (op == OP_DIV) x = a / b;
	if (op == OP_RCP) x = 1 / a;
	if (op == OP_FMA || op == OP_MAD) x = odd_sum(a * b, c);
	fesetround(old);
	return fabs(x) <= 0x1.fffffep-127;
}

const Op *run_round_f32(Warp *w, const Op *op) {
	const PtxInstr *in = instr_of(w, op);
	const bool flush = in->mods & MOD_FTZ;
	const int old = fegetround();
	fesetround(host_rounding(in->round));
	FOR_LANES(l, w->mask) {
		f32 x[3];
		const u32 slots[3] = {op->a, op->b, op->c};
		for (u32 i = 0; i < 3; i++) {
			x[i] = slots[i] == NO_SLOT ? 0 : bits_f32((u32)lane_get(w, slots[i], 4, l));
			if (flush) x[i] = ftz(x[i]);
		}
		volatile f32 y = compute_f32(in->op, x[0], x[1], x[2]);
		f32 r = flush ? ftz(y) : y;
		if (flush && fabsf(r) == 0x1p-126f && tiny(in->op, x[0], x[1], x[2])) r = copysignf(0, r);
		if (in->mods & MOD_SAT) r = saturate(r);
		lane_set(w, op->d, 4, l, f32_bits(canon(r)));
	}
	fesetround(old);
	return op + 1;
}

const Op *run_round_f64(Warp *w, const Op *op) {
	const PtxInstr *in = instr_of(w, op);
	const int old = fegetround();
	fesetround(host_rounding(in->round));
	FOR_LANES(l, w->mask) {
		f64 x[3];
		const u32 slots[3] = {op->a, op->b, op->c};
		for (u32 i = 0; i < 3; i++) x[i] = slots[i] == NO_SLOT ? 0 : bits_f64(lane_get(w, slots[i], 8, l));
		volatile f64 y = compute_f64(in->op, x[0], x[1], x[2]);
		f64 r = nan_first(x[0], op->b != NO_SLOT ? x[1] : x[0], y);
		if (op->c != NO_SLOT)
			r = nan3(x[0], x[1], x[2], y);
		else if (op->b != NO_SLOT && in->op != OP_DIV)
			r = nan2(x[0], x[1], y);
		lane_set(w, op->d, 8, l, f64_bits(r));
	}
	fesetround(old);
	return op + 1;
}

/* --- carries: add.cc, addc, sub.cc, subc, mad.cc, madc ------------------------------------------------------------ */

/* extra[0]: the frame's carry predicate. sub's carry is a borrow. */
const Op *run_carry(Warp *w, const Op *op) {
	const PtxInstr *in = instr_of(w, op);
	const u32 bytes = op->bytes, bits = 8 * bytes;
	const u64 all = low_ones(bits);
	const bool takes = in->op == OP_ADDC || in->op == OP_SUBC || in->op == OP_MADC;
	u32 *flag = (u32 *)(w->regs + op->extra[0]);
	FOR_LANES(l, w->mask) {
		u64 a = lane_get(w, op->a, bytes, l), b = lane_get(w, op->b, bytes, l), x = a, y = b;
		const u32 carry = takes ? *flag >> l & 1 : 0;
		if (in->op == OP_MAD || in->op == OP_MADC) {
			bool sign = is_signed(in->types[0]);
			unsigned __int128 p = sign ? (unsigned __int128)((__int128)(s64)(a << (64 - bits)) >> (64 - bits)) *
											 (unsigned __int128)((__int128)(s64)(b << (64 - bits)) >> (64 - bits))
									   : (unsigned __int128)a * b;
			x = (u64)(in->mods & MOD_HI ? p >> bits : p) & all;
			y = lane_get(w, op->c, bytes, l);
		}
		const bool minus = in->op == OP_SUB || in->op == OP_SUBC;
		unsigned __int128 sum = minus ? (unsigned __int128)x - y - carry : (unsigned __int128)x + y + carry;
		lane_set(w, op->d, bytes, l, (u64)sum & all);
		if (in->mods & MOD_CC) {
			u32 out = (u32)(sum >> bits) & 1;
			*flag = (*flag & ~(1u << l)) | out << l;
		}
	}
	return op + 1;
}
