/* The approximate functions of one lane, bit for bit as an NVIDIA H200 computes them (docs/reference/exactness.md).
 *
 * The multifunction unit (MUFU) interpolates: the upper bits of an argument choose a row of a table, the 17 bits below
 * them are x in c0 + c1 * x + c2 * S(x), and the sum is truncated. S(x) is x * x without the partial products below
 * 2^-15, as in Oberman and Siu, "A High-Performance Area-Efficient Multifunction Interpolator" (ARITH 2005). All sums
 * here are exact in double precision. What a PTX instruction does around the unit, such as scaling subnormal numbers,
 * is what ptxas 13.0 emits for sm_90. */
#ifndef GPULAB_EMU_APPROX_H
#define GPULAB_EMU_APPROX_H

#include "emu/exec/approx_tables.h"
#include "emu/exec/lanes.h"

/* S in units of 2^-15. Bits 9 and up of x contribute their square; each bit below, its products with the bits that are
 * high enough. */
LANE u32 square_of(u32 x) {
	const u32 high = x >> 9;
	u32 sum = high * high >> 1;
	for (u32 i = 2; i < 9; i++) sum += (0u - (x >> i & 1)) & (x >> (18 - i));
	return sum;
}
LANE f64 interpolate(const f64 (*table)[3], u32 row, u32 x) {
	return table[row][0] + (f64)(s32)x * table[row][1] + (f64)(s32)square_of(x) * table[row][2];
}
/* Towards zero to so many digits. */
LANE f64 truncated(f64 x, u32 digits) {
	return bits_f64(f64_bits(x) & ~(u64)0 << (53 - digits));
}
LANE f64 power_of_2(s32 e) {
	return bits_f64((u64)(u32)(e + 1023) << 52);
}
/* A number of at most 24 digits; the unit has no subnormal results. */
LANE f32 no_subnormal(f64 x) {
	return (f32)(fabs(x) < 0x1p-126 ? copysign(0, x) : x);
}
LANE int subnormal(f32 a) {
	return fabsf(a) < 0x1p-126f;
}

/* --- the unit; subnormal arguments are zeros ---------------------------------------------------------------------- */

LANE f32 unit_rcp(f32 a) {
	const u32 b = f32_bits(a), e = b >> 23 & 255, m = b & 0x7fffff;
	const f64 y = interpolate(rcp_table, m >> 16, (m & 0xffff) << 1);
	f32 r = no_subnormal(truncated(y, 24) * power_of_2(127 - (s32)e));
	r = e == 0 ? INFINITY : e == 255 ? (m ? NAN : 0) : r;
	return canon(copysignf(r, a));
}
/* 1 / sqrt of 1.m or 2 * 1.m */
LANE f64 unit_rsqrt_of(u32 odd, u32 m) {
	const f64 y = interpolate(rsqrt_table, odd << 6 | m >> 17, m & 0x1ffff);
	return m | odd ? y : 1;
}
LANE f32 unit_rsqrt(f32 a) {
	const u32 b = f32_bits(a), e = b >> 23 & 255, m = b & 0x7fffff, odd = ~e & 1;
	f32 r = (f32)(truncated(unit_rsqrt_of(odd, m), 24) * power_of_2((127 - (s32)(e - odd)) / 2));
	r = b >> 31 || (e == 255 && m) ? NAN : e == 255 ? 0 : r;
	return canon(e == 0 ? copysignf(INFINITY, a) : r);
}
LANE f32 unit_sqrt(f32 a) {
	const u32 b = f32_bits(a), e = b >> 23 & 255, m = b & 0x7fffff, odd = ~e & 1;
	const f64 y = interpolate(sqrt_table, odd << 6 | m >> 17, m & 0x1ffff);
	f32 r = (f32)(truncated(y, 24) * power_of_2(((s32)(e - odd) - 127) / 2));
	r = b >> 31 || (e == 255 && m) ? NAN : e == 255 ? INFINITY : r;
	return canon(e == 0 ? copysignf(0, a) : r);
}
/* The argument in fixed point, 23 bits behind the point; a negative one is complemented, unless it is an integer. */
LANE f32 unit_ex2(f32 a) {
	const u32 size = (u32)(s32)(fminf(fabsf(a), 255.0f) * 0x1p23f);
	const u32 x = a < 0 ? (size & 0x7fffff ? ~size : 0u - size) : size;
	const f64 y = interpolate(ex2_table, x >> 17 & 63, x & 0x1ffff);
	f32 r = no_subnormal(truncated(y, 24) * power_of_2((s32)x >> 23));
	r = a >= 128 ? INFINITY : a < -150 ? 0 : r;
	return a != a ? canon(a) : r;
}
/* Fixed point, 36 bits behind the point; the size of a negative sum is its complement. */
LANE f32 unit_lg2(f32 a) {
	const u32 b = f32_bits(a), e = b >> 23 & 255, m = b & 0x7fffff;
	const f64 y = interpolate(lg2_table, m >> 17, m & 0x1ffff), sum = floor(((f64)((s32)e - 127) + y) * 0x1p36);
	f32 r = (f32)truncated((sum < 0 ? sum + 1 : sum) * 0x1p-36, 24);
	r = b == 0x3f800000u ? 0 : r;
	r = b >> 31 || (e == 255 && m) ? NAN : e == 255 ? INFINITY : r;
	return canon(e == 0 ? -INFINITY : r);
}
/* A turn in units of 2^-25, without whole turns. */
LANE u32 turns_of(f32 a) {
	const f32 size = fabsf(a) < 0x1p24f ? fabsf(a) : 0;
	return (u32)(s32)((size - (f32)(s32)size) * 0x1p25f);
}
LANE f32 circular(u32 turns, u32 quarters, u32 sign) {
	const u32 quarter = (turns >> 23) + quarters, f = turns & 0x7fffff;
	const u32 x = quarter & 1 ? ~f & 0x7fffff : f;
	f32 r = (f32)truncated(interpolate(sin_table, x >> 17, x & 0x1ffff), 24);
	r = quarter & 1 && !f ? 1.0f : r;
	return bits_f32(f32_bits(r) ^ quarter >> 1 << 31 ^ sign);
}
LANE f32 unit_sin(f32 a) {
	const f32 r = circular(turns_of(a), 0, f32_bits(a) & 0x80000000u);
	return canon(fabsf(a) < INFINITY ? r : NAN);
}
LANE f32 unit_cos(f32 a) {
	const f32 r = circular(turns_of(a), 1, 0);
	return canon(fabsf(a) < INFINITY ? r : NAN);
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
	return fabsf(a) > 0x1p126f ? 0.25f : subnormal(a) ? 0x1p24f : 1.0f;
}
LANE f32 approx_rcp(f32 a) {
	return canon(unit_rcp(a * scale_of(a)) * scale_of(a));
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
	const f64 y = truncated(interpolate(rcp_table, m >> 13, (m & 0x1fff) << 4), 21) * power_of_2(1023 - (s32)e);
	f64 r = fabs(y) < 0x1p-1022 ? 0 : y;
	r = e == 0 ? INFINITY : e == 2047 ? 0 : r;
	r = copysign(r, a);
	return e == 2047 && m ? bits_f64(0x7fffffff00000000ull) : r;
}
LANE f64 unit_rsqrt64(f64 a) {
	const u32 b = (u32)(f64_bits(a) >> 32), e = b >> 20 & 2047, m = b & 0xfffff, odd = ~e & 1;
	f64 r = truncated(unit_rsqrt_of(odd, m << 3), 21) * power_of_2((1023 - (s32)(e - odd)) / 2);
	r = e == 0 ? copysign(INFINITY, a) : e == 2047 ? 0 : r;
	return e && (b >> 31 || (e == 2047 && m)) ? bits_f64(0x7fffffff00000000ull) : r;
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

#endif
