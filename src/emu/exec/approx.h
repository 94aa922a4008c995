/* The approximate functions of one lane, bit for bit as an NVIDIA H200 computes them (docs/reference/exactness.md).
 *
 * The multifunction unit (MUFU) interpolates: the upper bits of an argument choose a row of a table, the 17 bits below
 * them are x in c0 + c1 * x + c2 * S(x), and the sum is truncated. S(x) is x * x without the partial products below
 * 2^-15, as in Oberman and Siu, "A High-Performance Area-Efficient Multifunction Interpolator" (ARITH 2005). All sums
 * here are exact. What a PTX instruction does around the unit, such as scaling subnormal numbers, is what ptxas 13.0
 * emits for sm_90.
 *
 * The loops over 32 lanes must vectorize. Masks take the place of conditions where the compiler would otherwise move
 * the load from a table into a branch. */
#pragma once

#include "emu/exec/approx_tables.h"
#include "emu/exec/lanes.h"

/* S in units of 2^-15, x without its two lowest bits. Bits 7 and up of x contribute their square; each bit below, its
 * products with the bits that are high enough. */
LANE u16 square_of(u16 x) {
	const u16 high = x >> 7;
	u16 sum = (u16)(high * high) >> 1;
	for (u32 i = 0; i < 7; i++) sum += (u16)((s16)(u16)(x << (15 - i)) >> 15) & (x >> (14 - i));
	return sum;
}

typedef struct {
	u32 high; /* in units of 2^-31 */
	u32 low;  /* the bits below, in units of 2^-unit; those above are to be ignored */
} Sum;

/* A row is c0 in units of 2^-26, and c1 (19 bits) and c2 (13 bits) in units of 2^-unit. All rows share a last term. */
LANE Sum sum_of(const u32 (*table)[2], u32 row, u32 x, u32 unit, s32 shared) {
	const u32 c0 = table[row][0], c12 = table[row][1], below = unit - 31;
	const s32 c1 = (s32)c12 >> 13, c2 = (s32)(c12 << 19) >> 19;
	const s32 low = c1 * (s32)(x & ((1u << below) - 1)) + c2 * (s32)square_of((u16)(x >> 2)) + shared;
	return (Sum){(c0 << 5) + (u32)(c1 * (s32)(x >> below)) + (u32)(low >> below), (u32)low};
}
LANE u32 rcp_sum(u32 m) {
	return sum_of(rcp_table, m >> 16, (m & 0xffff) << 1, 40, 4046).high;
}
/* 1 / sqrt of 1.m or 2 * 1.m */
LANE u32 rsqrt_sum(u32 odd, u32 m) {
	const u32 y = sum_of(rsqrt_table, odd << 6 | m >> 17, m & 0x1ffff, 40, 16383).high;
	return m | odd ? y : 1u << 31;
}
LANE f64 interpolate(const f64 (*table)[3], u32 row, u32 x) {
	return table[row][0] + (f64)(s32)x * table[row][1] + (f64)(s32)square_of((u16)(x >> 2)) * table[row][2];
}
/* Towards zero to so many digits. */
LANE f64 truncated(f64 x, u32 digits) {
	return bits_f64(f64_bits(x) & ~(u64)0 << (53 - digits));
}
LANE u32 subnormal(f32 a) {
	return (f32_bits(a) & 0x7fffffffu) < 0x800000;
}

/* --- the unit; subnormal arguments are zeros, and no result is subnormal ------------------------------------------ */

/* The 24 digits of a sum include the leading one: an exponent is one less here, and 1.0 carries into it. */
LANE f32 unit_rcp(f32 a) {
	const u32 b = f32_bits(a), e = b >> 23 & 255, m = b & 0x7fffff;
	u32 r = (rcp_sum(m) >> 7) + ((252 - e) << 23);
	r = (s32)r < 0x800000 ? 0 : r;
	r = e == 0 ? 0x7f800000u : e == 255 ? 0 : r;
	return bits_f32(e == 255 && m ? 0x7fffffffu : r | (b & 0x80000000u));
}
LANE f32 unit_rsqrt(f32 a) {
	const u32 b = f32_bits(a), e = b >> 23 & 255, m = b & 0x7fffff, odd = ~e & 1;
	u32 r = (rsqrt_sum(odd, m) >> 7) + ((189 - (e + 1) / 2) << 23);
	r = e == 0 ? (b & 0x80000000u) | 0x7f800000u : e == 255 ? 0 : r;
	return bits_f32(e && (b >> 31 || (e == 255 && m)) ? 0x7fffffffu : r);
}
LANE f32 unit_sqrt(f32 a) {
	const u32 b = f32_bits(a), e = b >> 23 & 255, m = b & 0x7fffff, odd = ~e & 1;
	const u32 y = sum_of(sqrt_table, odd << 6 | m >> 17, m & 0x1ffff, 40, 16383).high;
	u32 r = (y >> 8) + (((e + 1) / 2 + 62) << 23);
	r = e == 0 ? b & 0x80000000u : e == 255 ? 0x7f800000u : r;
	return bits_f32(e && (b >> 31 || (e == 255 && m)) ? 0x7fffffffu : r);
}
/* The argument in fixed point, 23 bits behind the point; a negative one is complemented, unless it is an integer. */
LANE f32 unit_ex2(f32 a) {
	const f32 most = a < 128 ? a : 128.0f, size = fabsf(most) < 255 ? fabsf(most) : 255.0f;
	const u32 fixed = (u32)(s32)(size * 0x1p23f), negative = 0u - (f32_bits(most) >> 31);
	const u32 x = (fixed ^ negative) + (fixed & 0x7fffff ? 0 : negative & 1);
	u32 r = (sum_of(ex2_table, x >> 17 & 63, x & 0x1ffff, 38, 2018).high >> 8) + (126u << 23) + (x & ~0x7fffffu);
	r = (s32)r < 0x800000 ? 0 : r;
	return bits_f32(r | (a != a ? 0x7fffffffu : 0));
}
/* floor of a number of less than 51 bits; SSE2 has no instruction for it. */
LANE f64 whole(f64 x) {
	const f64 near = (x + 0x1.8p52) - 0x1.8p52;
	return near - (near > x ? 1.0 : 0.0);
}
/* Fixed point, 36 bits behind the point; the size of a negative sum is its complement. */
LANE f32 unit_lg2(f32 a) {
	const u32 b = f32_bits(a), e = b >> 23 & 255, m = b & 0x7fffff;
	const f64 y = interpolate(lg2_table, m >> 17, m & 0x1ffff), sum = whole(((f64)((s32)e - 127) + y) * 0x1p36);
	f32 r = (f32)truncated((sum < 0 ? sum + 1 : sum) * 0x1p-36, 24);
	r = b == 0x3f800000u ? 0 : r;
	r = b >> 31 || (e == 255 && m) ? NAN : e == 255 ? INFINITY : r;
	return canon(e == 0 ? -INFINITY : r);
}
/* The sine of so many 2^-25 of a turn, up to a quarter, truncated to 24 digits: below 2^-7 more bits count. */
LANE f32 sine_of(u32 angle) {
	const Sum y = sum_of(sin_table, angle >> 17, angle & 0x1ffff, 37, 0);
	const u32 small = (u32)((s32)((y.high >> 24) - 1) >> 31);
	const u32 sum = ((y.high << 6 | (y.low & 63)) & small) | (y.high >> 1 & ~small);
	u32 beyond = sum >> 24;
	beyond |= beyond >> 1;
	beyond |= beyond >> 2;
	beyond |= beyond >> 4;
	return (f32)(s32)(sum & ~beyond) * bits_f32((97u << 23) - (small & 7u << 23));
}
/* The argument is in turns. In odd quarters the angle is complemented, unless it is zero. */
LANE f32 circular(f32 a, u32 quarters, u32 sign) {
	const u32 b = f32_bits(a) & 0x7fffffffu, fraction = (u32)((s32)(b - 0x4b800000u) >> 31);
	const f32 size = bits_f32(b & fraction); /* from 2^24 on there are whole turns only */
	const u32 turns = (u32)(s32)((size - (f32)(s32)size) * 0x1p25f);
	const u32 quarter = (turns >> 23) + quarters, f = turns & 0x7fffff, odd = quarter & 1;
	const u32 angle = (f ^ ((0u - odd) & 0x7fffff)) + (odd & ~((f + 0x7fffff) >> 23));
	const u32 r = f32_bits(sine_of(angle)) ^ quarter >> 1 << 31 ^ sign;
	const u32 none = (u32)((s32)(b + 0x800000) >> 31); /* infinities and NaNs */
	return bits_f32((r | none) & ~(none << 31));
}
LANE f32 unit_sin(f32 a) {
	return circular(a, 0, f32_bits(a) & 0x80000000u);
}
LANE f32 unit_cos(f32 a) {
	return circular(a, 1, 0);
}
/* Each binade from 2^-8 up to 8 has 1 to 16 rows. */
LANE f32 unit_tanh(f32 a) {
	const u32 b = f32_bits(a) & 0x7fffffffu, e = b >> 23, m = b & 0x7fffff, k = e < 119 ? 0 : e > 129 ? 10 : e - 119;
	const u32 bits = tanh_binades[k][0], row = tanh_binades[k][1] + (m >> (23 - bits));
	f32 r = (f32)truncated(interpolate(tanh_table, row, m >> (6 - bits) & 0x1ffff), 24);
	r = e < 119 ? bits_f32(b) : e > 129 ? 1.0f : r;
	return canon(a != a ? a : copysignf(r, a));
}

/* --- the instructions of single precision ------------------------------------------------------------------------- */

/* Into the range in which the reciprocal is a normal number. */
LANE f32 scale_of(f32 a) {
	const u32 size = f32_bits(a) & 0x7fffffffu;
	return bits_f32((127u << 23) - (size > 0x7e800000u ? 2u << 23 : 0) + (size < 0x800000u ? 24u << 23 : 0));
}
LANE f32 approx_rcp(f32 a) {
	const f32 scale = scale_of(a);
	return canon(unit_rcp(a * scale) * scale);
}
LANE f32 approx_rsqrt(f32 a) {
	const f32 scale = subnormal(a) ? 0x1p24f : 1.0f;
	return canon(unit_rsqrt(a * scale) * (subnormal(a) ? 0x1p12f : 1.0f));
}
LANE f32 approx_sqrt(f32 a) {
	const f32 scale = subnormal(a) ? 0x1p24f : 1.0f;
	return canon(unit_sqrt(a * scale) * (subnormal(a) ? 0x1p-12f : 1.0f));
}
LANE f32 approx_lg2(f32 a) {
	const f32 r = unit_lg2(subnormal(a) ? a * 0x1p24f : a);
	return canon(subnormal(a) ? r - 24.0f : r);
}
LANE f32 approx_ex2(f32 a) {
	const f32 r = unit_ex2(a < -126 ? a * 0.5f : a);
	return a < -126 ? r * r : r;
}
/* Times 1 / (2 pi), rounded towards zero. */
LANE f32 in_turns(f32 a) {
	return (f32)truncated((f64)a * (f64)bits_f32(0x3e22f983), 24);
}
LANE f32 approx_div(f32 a, f32 b) {
	const f32 scale = subnormal(b) ? 0x1p24f : 1.0f;
	return canon(unit_rcp(b * scale) * (a * scale));
}
LANE f32 full_div(f32 a, f32 b) {
	return canon(unit_rcp(b * scale_of(b)) * (a * scale_of(b)));
}
/* The factors of div.full.ftz. */
LANE f32 full_dividend(f32 a, f32 b) {
	return ftz(a) * (fabsf(b) > 0x1p126f ? 0.25f : 1.0f);
}
LANE f32 full_reciprocal(f32 b) {
	return unit_rcp(b * (fabsf(b) > 0x1p126f ? 0.25f : 1.0f));
}

/* --- half precision and bfloat16: from single precision, towards zero --------------------------------------------- */

LANE u16 cut_half(f32 x) {
	const u16 h = to_half(x);
	return (u16)(fabsf(half(h)) > fabsf(x) && fabsf(x) < 65536 ? h - 1 : h);
}
LANE u16 cut_bf(f32 x) {
	return (u16)(x != x ? 0x7fff : f32_bits(x) >> 16);
}

/* --- double precision --------------------------------------------------------------------------------------------- */

/* The upper words of argument and result; subnormal numbers are zeros. */
LANE f64 unit_rcp64(f64 a) {
	const u32 b = (u32)(f64_bits(a) >> 32), e = b >> 20 & 2047, m = b & 0xfffff;
	u32 r = (rcp_sum(m << 3) >> 10) + ((2044 - e) << 20);
	r = (s32)r < 0x100000 ? 0 : r;
	r = e == 0 ? 0x7ff00000u : e == 2047 ? 0 : r;
	r = e == 2047 && m ? 0x7fffffffu : r | (b & 0x80000000u);
	return bits_f64((u64)r << 32);
}
LANE f64 unit_rsqrt64(f64 a) {
	const u32 b = (u32)(f64_bits(a) >> 32), e = b >> 20 & 2047, m = b & 0xfffff, odd = ~e & 1;
	u32 r = (rsqrt_sum(odd, m << 3) >> 10) + ((1533 - (e + 1) / 2) << 20);
	r = e == 0 ? (b & 0x80000000u) | 0x7ff00000u : e == 2047 ? 0 : r;
	r = e && (b >> 31 || (e == 2047 && m)) ? 0x7fffffffu : r;
	return bits_f64((u64)r << 32);
}
/* rsqrt.approx.f64: one step of third order. */
LANE f64 refined_rsqrt(f64 a) {
	const f64 y = unit_rsqrt64(a), e = FMA(a, -(y * y), 1.0);
	return FMA(FMA(e, 0.375, 0.5), y * e, y);
}
LANE f64 approx_rsqrt64(f64 a) {
	const f64 normal = refined_rsqrt(a), scaled = refined_rsqrt(a * 0x1p54) * 0x1p27;
	if (a != a) return quiet(a);
	if (a == 0) return copysign(INFINITY, a);
	if (a < 0) return bits_f64(0xfff8000000000000ull);
	return a == INFINITY ? 0 : a < 0x1p-1022 ? scaled : normal;
}
