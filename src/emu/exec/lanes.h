/* What one lane computes where C has no operator for it. Everything here is branch-light so that a loop over 32 lanes
 * vectorises. Sources: PTX ISA, "Integer Arithmetic", "Floating Point", "Half Precision" (results of NaN: 0x7fffffff in
 * single precision, 0x7fff in half and bfloat16). */
#pragma once

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int8_t s8;
typedef int16_t s16;
typedef int32_t s32;
typedef int64_t s64;
typedef float f32;
typedef double f64;

#define LANE static inline __attribute__((always_inline, unused))
#define FMAF(a, b, c) __builtin_fmaf(a, b, c)
#define FMA(a, b, c) __builtin_fma(a, b, c)
#define LO(x) ((u16)(x))
#define HI(x) ((u16)((x) >> 16))
#define MIN_U16(x, y) ((x) < (y) ? (x) : (y))
#define MAX_U16(x, y) ((x) > (y) ? (x) : (y))
#define MIN_S16(x, y) ((s16)(x) < (s16)(y) ? (x) : (y))
#define MAX_S16(x, y) ((s16)(x) > (s16)(y) ? (x) : (y))
#define halves(a, b, f) pair(f(LO(a), LO(b)), f(HI(a), HI(b)))

LANE u32 pair(u16 lo, u16 hi) {
	return lo | (u32)hi << 16;
}

LANE u32 f32_bits(f32 x) {
	u32 b;
	memcpy(&b, &x, 4);
	return b;
}
LANE f32 bits_f32(u32 b) {
	f32 x;
	memcpy(&x, &b, 4);
	return x;
}
LANE u64 f64_bits(f64 x) {
	u64 b;
	memcpy(&b, &x, 8);
	return b;
}
LANE f64 bits_f64(u64 b) {
	f64 x;
	memcpy(&x, &b, 8);
	return x;
}

/* --- integers --- */

LANE s32 saturate32(s64 x) {
	return x > INT32_MAX ? INT32_MAX : x < INT32_MIN ? INT32_MIN : (s32)x;
}
LANE s64 sign24(u32 x) {
	return (s32)(x << 8) >> 8;
}
LANE u32 funnel_left(u32 lo, u32 hi, u32 n) {
	return (u32)((((u64)hi << 32 | lo) << n) >> 32);
}
LANE u32 funnel_right(u32 lo, u32 hi, u32 n) {
	return (u32)(((u64)hi << 32 | lo) >> n);
}

/* Bit i of the table is the result for a, b, c bits that spell i. */
LANE u32 lop3(u32 a, u32 b, u32 c, s64 table) {
	u32 r = 0;
	for (u32 i = 0; i < 8; i++) {
		u32 term = (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
		r |= term & (u32) - (s32)(table >> i & 1);
	}
	return r;
}

LANE u32 reverse32(u32 x) {
	x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
	x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
	x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
	return __builtin_bswap32(x);
}

/* Position of the highest set bit; shiftamt: the left shift that would bring it to the top. */
LANE u32 find_bit(u64 x, u32 top, s64 shiftamt) {
	if (!x) return UINT32_MAX;
	u32 at = 63u - (u32)__builtin_clzll(x);
	return shiftamt ? top - at : at;
}

/* Integers are divided as doubles, for which there are vectors: if a / b is no integer, it is at least 1 / b from one,
 * and rounding moves it by less. */
LANE f64 wide_u32(u32 x) {
	return (f64)(s32)(x ^ 0x80000000u) + 0x1p31;
}
LANE u32 quotient_u32(u32 a, u32 b) {
#if defined __AVX2__
	const f64 q = wide_u32(a) / (b ? wide_u32(b) : 1.0);
	const bool large = q >= 0x1p31;
	return (u32)(s32)(q - (large ? 0x1p31 : 0.0)) + (large ? 0x80000000u : 0);
#else
	return a / b;
#endif
}
LANE s32 quotient_s32(s32 a, s32 b) {
	return b == -1 ? (s32)(0 - (u32)a) : (s32)((f64)a / (f64)(b == 0 || b == -1 ? 1 : b));
}

LANE u64 low_ones(u32 n) {
	return n > 63 ? ~(u64)0 : ((u64)1 << n) - 1;
}
LANE u64 extract_u(u64 a, u32 at, u32 len, u32 width) {
	return at >= width ? 0 : (a >> at) & low_ones(len);
}
LANE s64 extract_s(s64 a, u32 at, u32 len, u32 width) {
	if (len == 0) return 0;
	s64 shifted = a >> (at > width - 1 ? width - 1 : at);
	if (len >= width) return shifted;
	/* A field that reaches past the top is filled with the operand's sign. */
	return (s64)((u64)shifted << (64 - len)) >> (64 - len);
}
LANE u64 insert_bits(u64 a, u64 b, u32 at, u32 len, u32 width) {
	if (at >= width) return b;
	u64 field = low_ones(len) << at;
	return (b & ~field) | ((a << at) & field);
}
LANE u32 bit_mask(u32 at, u32 len) {
	if (at >= 32) return 0;
	return (u32)(low_ones(len) << at);
}
LANE u32 sign_from(u32 a, u32 bit) {
	if (bit == 0) return 0;
	return bit > 31 ? a : (u32)((s32)(a << (32 - bit)) >> (32 - bit));
}

LANE u32 pick_byte(u64 ab, u32 sel) {
	u32 byte = (u32)(ab >> ((sel & 7) * 8)) & 0xff;
	return sel & 8 ? (byte & 0x80 ? 0xff : 0) : byte;
}
enum { PRMT_PLAIN, PRMT_F4E, PRMT_B4E, PRMT_RC8, PRMT_ECL, PRMT_ECR, PRMT_RC16 };
LANE u32 permute(u32 a, u32 b, u32 c, u32 mode) {
	u64 ab = (u64)b << 32 | a;
	u32 n = c & 3, r = 0;
	if (mode == PRMT_PLAIN) {
		for (u32 i = 0; i < 4; i++) r |= pick_byte(ab, c >> (4 * i) & 15) << (8 * i);
		return r;
	}
	for (u32 i = 0; i < 4; i++) {
		u32 sel = 0;
		switch (mode) {
		case PRMT_F4E: sel = n + i; break;
		case PRMT_B4E: sel = (n + 8 - i) & 7; break;
		case PRMT_RC8: sel = n; break;
		case PRMT_ECL: sel = i > n ? i : n; break;
		case PRMT_ECR: sel = i < n ? i : n; break;
		default: sel = (n & 1) * 2 + (i & 1); break;
		}
		r |= pick_byte(ab, sel) << (8 * i);
	}
	return r;
}

LANE u32 dot4(u32 a, u32 b, int a_signed, int b_signed) {
	s32 sum = 0;
	for (u32 i = 0; i < 32; i += 8) {
		s32 x = a_signed ? (s8)(a >> i) : (s32)(u8)(a >> i), y = b_signed ? (s8)(b >> i) : (s32)(u8)(b >> i);
		sum += x * y;
	}
	return (u32)sum;
}
LANE u32 dot2(u32 a, u32 b, int a_signed, int b_signed, s64 high) {
	s32 sum = 0;
	for (u32 i = 0; i < 2; i++) {
		u32 at = 8 * (i + (high ? 2 : 0));
		s32 x = a_signed ? (s16)(a >> 16 * i) : (s32)(u16)(a >> 16 * i),
			y = b_signed ? (s8)(b >> at) : (s32)(u8)(b >> at);
		sum = (s32)((u32)sum + (u32)x * (u32)y);
	}
	return (u32)sum;
}

/* fns: the |n|-th set bit of mask, counted from base up (n > 0) or down (n < 0); n = 0: base itself if set. */
LANE u32 nth_bit(u32 mask, u32 base, s32 n) {
	if (base > 31) return UINT32_MAX;
	if (n == 0) return mask >> base & 1 ? base : UINT32_MAX;
	s32 step = n > 0 ? 1 : -1;
	u32 left = n > 0 ? (u32)n : 0u - (u32)n;
	for (s32 at = (s32)base; at >= 0 && at < 32; at += step)
		if (mask >> at & 1 && --left == 0) return (u32)at;
	return UINT32_MAX;
}

/* --- single and double precision --- */

LANE f32 canon(f32 x) {
	return bits_f32(x != x ? 0x7fffffffu : f32_bits(x));
}
/* clang 21 takes a comparison of a root with itself, and the constant that is chosen by it, for the root alone. */
LANE f32 canon_root(f32 x) {
	const u32 b = f32_bits(x);
	return bits_f32((b & 0x7fffffffu) > 0x7f800000u ? 0x7fffffffu : b);
}
LANE f32 ftz(f32 x) {
	u32 b = f32_bits(x);
	return bits_f32(b & 0x7f800000u ? b : b & 0x80000000u);
}
/* -0 counts as less than +0; a NaN is ignored next to a number. */
LANE f32 fmin32(f32 a, f32 b) {
	u32 x = f32_bits(a), y = f32_bits(b);
	u32 r = a < b ? x : b < a ? y : x | y;
	r = b != b ? x : a != a ? y : r;
	return canon(bits_f32(r));
}
LANE f32 fmax32(f32 a, f32 b) {
	u32 x = f32_bits(a), y = f32_bits(b);
	u32 r = a > b ? x : b > a ? y : x & y;
	r = b != b ? x : a != a ? y : r;
	return canon(bits_f32(r));
}
/* Double precision: a NaN keeps its payload; of several the last operand's counts. */
LANE f64 quiet(f64 x) {
	return bits_f64(f64_bits(x) | 0x0008000000000000ull);
}
/* A result of operands that are not NaN. What an invalid operation gives on x86-64 is what a GPU gives; AArch64's has
 * another sign. */
LANE f64 valid(f64 r) {
#ifdef __x86_64__
	return r;
#else
	return r != r ? bits_f64(0xfff8000000000000ull) : r;
#endif
}
LANE f64 nan2(f64 a, f64 b, f64 r) {
	return b != b ? quiet(b) : a != a ? quiet(a) : valid(r);
}
LANE f64 nan3(f64 a, f64 b, f64 c, f64 r) {
	return b != b ? quiet(b) : c != c ? quiet(c) : a != a ? quiet(a) : valid(r);
}
/* Of quotients and roots, whose first NaN counts: x86-64 has that rule. */
LANE f64 nan_first(f64 a, f64 b, f64 r) {
#ifdef __x86_64__
	return r;
#else
	return a != a ? quiet(a) : b != b ? quiet(b) : valid(r);
#endif
}
LANE f64 fmin64(f64 a, f64 b) {
	u64 x = f64_bits(a), y = f64_bits(b);
	u64 r = a < b ? x : b < a ? y : x | y;
	return b != b ? (a != a ? quiet(b) : a) : a != a ? b : bits_f64(r);
}
LANE f64 fmax64(f64 a, f64 b) {
	u64 x = f64_bits(a), y = f64_bits(b);
	u64 r = a > b ? x : b > a ? y : x & y;
	return b != b ? (a != a ? quiet(b) : a) : a != a ? b : bits_f64(r);
}
LANE f32 saturate(f32 x) {
	return x > 0 ? (x < 1 ? x : 1.0f) : 0.0f;
}

LANE s32 f32_to_s32(f32 x) {
	if (x != x) return 0;
	return x >= 0x1p31f ? INT32_MAX : x < -0x1p31f ? INT32_MIN : (s32)x;
}
LANE u32 f32_to_u32(f32 x) {
	return x > 0 ? (x >= 0x1p32f ? UINT32_MAX : (u32)x) : 0;
}

/* --- half and bfloat16 --- */

LANE f32 half(u16 h) {
	u32 sign = (u32)(h & 0x8000) << 16, size = h & 0x7fffu;
	u32 bits = f32_bits(bits_f32(size << 13) * 0x1p112f); /* exact, subnormals too */
	bits = size >= 0x7c00 ? size << 13 | 0x7f800000u : bits;
	return bits_f32(bits | sign);
}
LANE u16 to_half(f32 x) {
	u32 bits = f32_bits(x), sign = bits >> 16 & 0x8000, size = bits & 0x7fffffffu;
	u32 small = f32_bits(bits_f32(size) + 0.5f) - 0x3f000000u; /* the sum rounds to a multiple of 2^-24 */
	u32 normal = (size + 0xfffu + (size >> 13 & 1) - (112u << 23)) >> 13;
	u32 r = size < 0x38800000u ? small : normal;
	r = size >= 0x477ff000u ? 0x7c00 : r;
	return (u16)(size > 0x7f800000u ? 0x7fff : r | sign);
}
LANE f32 bf(u16 b) {
	return bits_f32((u32)b << 16);
}
LANE u16 to_bf(f32 x) {
	u32 bits = f32_bits(x);
	return (u16)(x != x ? 0x7fff : (bits + 0x7fffu + (bits >> 16 & 1)) >> 16);
}

/* To single with the last bit set if anything was lost (round to odd): a further rounding is then correct. */
LANE f32 odd_f32(f64 x) {
	f32 y = (f32)x;
	if ((f64)y == x || x != x) return y;
	u32 b = f32_bits(y);
	if (fabs((f64)y) > fabs(x)) b--; /* towards zero */
	return bits_f32(b | 1);
}
LANE f64 odd_sum(f64 a, f64 b) {
	f64 s = a + b, bb = s - a;
	f64 lost = (a - (s - bb)) + (b - bb);
	if (lost == 0 || s != s || fabs(s) == INFINITY) return s;
	u64 bits = f64_bits(s);
	if ((lost > 0) != (s > 0)) bits--;
	return bits_f64(bits | 1);
}
/* Of half and of bf; from `infinity` on lie the NaNs, of which results are 0x7fff. */
#define NARROW(x, infinity)                                                                                            \
	LANE u16 x##_fma(u16 a, u16 b, u16 c) {                                                                            \
		return to_##x(odd_f32(odd_sum((f64)x(a) * (f64)x(b), (f64)x(c))));                                             \
	}                                                                                                                  \
	LANE bool x##_nan(u16 v) {                                                                                         \
		return (v & 0x7fff) > infinity;                                                                                \
	}                                                                                                                  \
	LANE u16 x##_neg(u16 v) {                                                                                          \
		return x##_nan(v) ? 0x7fff : v ^ 0x8000;                                                                       \
	}                                                                                                                  \
	LANE u16 x##_abs(u16 v) {                                                                                          \
		return x##_nan(v) ? 0x7fff : v & 0x7fff;                                                                       \
	}                                                                                                                  \
	LANE u16 x##_relu(u16 v) {                                                                                         \
		return x##_nan(v) ? 0x7fff : v & 0x8000 ? 0 : v;                                                               \
	}                                                                                                                  \
	LANE u16 x##_min(u16 a, u16 b, int nan) {                                                                          \
		return nan && (x##_nan(a) || x##_nan(b)) ? 0x7fff : to_##x(fmin32(x(a), x(b)));                                \
	}                                                                                                                  \
	LANE u16 x##_max(u16 a, u16 b, int nan) {                                                                          \
		return nan && (x##_nan(a) || x##_nan(b)) ? 0x7fff : to_##x(fmax32(x(a), x(b)));                                \
	}
NARROW(half, 0x7c00)
NARROW(bf, 0x7f80)

/* .ftz: flush what is tiny after rounding to 11 bits, whatever the exponent. */
LANE u16 half_flush(f64 exact, u16 r) {
	return fabs(exact) < 0x1.ffep-15 ? r & 0x8000 : r;
}
LANE u16 half_fma_ftz(u16 a, u16 b, u16 c) {
	f64 x = odd_sum((f64)half(a) * (f64)half(b), (f64)half(c));
	return half_flush(x, to_half(odd_f32(x)));
}
