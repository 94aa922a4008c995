/* tensor_sum.h */
#include "emu/exec/tensor_sum.h"

enum { NOWHERE = -5000 }; /* the exponent of a zero */

u16 fp8_half(u8 v, bool wide) {
	const u16 sign = (u16)((v & 0x80) << 8), size = v & 0x7f;
	if (wide) return size > 0x7c ? 0x7fff : (u16)(sign | size << 8);
	if (size == 0x7f) return 0x7fff;
	if (size < 8) return (u16)(sign | to_half((f32)size * 0x1p-9f));
	return (u16)(sign | ((size << 7) + (8 << 10)));
}

f64 element_number(PtxType t, u64 raw) {
	switch (t) {
	case T_F64: return bits_f64(raw);
	case T_F32: return bits_f32((u32)raw);
	case T_TF32: return bits_f32((u32)raw & 0xffffe000u);
	case T_F16: return half((u16)raw);
	case T_BF16: return bf((u16)raw);
	case T_E4M3: return half(fp8_half((u8)raw, false));
	case T_E5M2: return half(fp8_half((u8)raw, true));
	case T_U8: return (u8)raw;
	case T_S8: return (s8)raw;
	case T_U4: return (f64)(raw & 15);
	case T_S4: return (f64)((s64)(raw << 60) >> 60);
	case T_B1: return (f64)(raw & 1);
	default: return (s32)raw;
	}
}

static s32 least_exponent(PtxType t) {
	switch (t) {
	case T_F16:
	case T_E5M2: return -14;
	case T_E4M3: return -6;
	default: return -126;
	}
}

static f64 power_of_two(s32 e) {
	return bits_f64((u64)(1023 + e) << 52);
}

static s32 exponent_of(PtxType t, f64 x) {
	const s32 e = (s32)(f64_bits(x) >> 52 & 2047) - 1023, least = least_exponent(t);
	return e < least ? least : e;
}

void factors_set(Factors *f, u32 i, PtxType t, f64 x) {
	f->number[i] = x;
	f->exponent[i] = x == 0 ? NOWHERE : (s16)exponent_of(t, x);
	if (!(fabs(x) < INFINITY)) f->special = true;
}

static f64 plain_sum(const Factors *a, const Factors *b, u32 n, f64 c) {
	for (u32 i = 0; i < n; i++) c += a->number[i] * b->number[i];
	return c;
}

f64 tensor_sum(const Factors *a, const Factors *b, u32 n, s32 point, PtxType addend, f64 c) {
	s32 terms[MOST_FACTORS];
	s16 highest = NOWHERE;
	if (a->special || b->special || !(fabs(c) < INFINITY)) return plain_sum(a, b, n, c);
	for (u32 i = 0; i < n; i++) {
		const s16 e = (s16)(a->exponent[i] + b->exponent[i]);
		highest = e > highest ? e : highest;
	}
	s32 top = c == 0 ? NOWHERE : exponent_of(addend, c);
	if (highest > top) top = highest;
	if (top <= NOWHERE / 2) return plain_sum(a, b, n, c); /* zeros, of either sign */
	const f64 scale = power_of_two(point - top);
	for (u32 i = 0; i < n; i++) terms[i] = (s32)(a->number[i] * b->number[i] * scale);
	s64 sum = (s64)(c * scale);
	for (u32 i = 0; i < n; i++) sum += terms[i];
	return (f64)sum * power_of_two(top - point);
}

u32 truncated_f32(f64 sum, u32 bits) {
	const f32 y = (f32)sum;
	u32 b = f32_bits(canon(y));
	if (fabs((f64)y) > fabs(sum) && fabs(sum) < 0x1p128) b--;
	return sum == sum && fabs(sum) < 0x1p128 ? b & ~((1u << (24 - bits)) - 1) : b;
}

u16 rounded_f16(f64 sum) {
	const u16 r = to_half(odd_f32(sum));
	return sum != 0 && r == 0x8000 ? 0 : r;
}
