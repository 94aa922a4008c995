/* elements.h */
#include "elements.h"

typedef struct {
	uint32_t bits, exponent, mantissa, bias, least_mantissa; /* the last: low bits that are always zero */
	int has_infinity;
} Format;

const char *const element_name[E_TYPES] = {"f16", "bf16", "tf32", "e4m3", "e5m2", "f32",
										   "s8",  "u8",   "s4",   "u4",   "b1",   "s32"};

static const Format formats[E_TYPES] = {
	[E_F16] = {16, 5, 10, 15, 0, 1}, [E_BF16] = {16, 8, 7, 127, 0, 1}, [E_TF32] = {32, 8, 23, 127, 13, 1},
	[E_E4M3] = {8, 4, 3, 7, 0, 0},   [E_E5M2] = {8, 5, 2, 15, 0, 1},   [E_F32] = {32, 8, 23, 127, 0, 1},
	[E_S8] = {8, 0, 0, 0, 0, 0},     [E_U8] = {8, 0, 0, 0, 0, 0},      [E_S4] = {4, 0, 0, 0, 0, 0},
	[E_U4] = {4, 0, 0, 0, 0, 0},     [E_B1] = {1, 0, 0, 0, 0, 0},      [E_S32] = {32, 0, 0, 0, 0, 0}};

uint32_t element_bits_of(Element t) {
	return formats[t].bits;
}

uint32_t element_random(uint32_t seed, uint32_t i) {
	uint32_t h = seed * 0x9e3779b9u ^ (i + 0x7f4a7c15u) * 0x85ebca6bu;
	h ^= h >> 16;
	h *= 0x7feb352du;
	h ^= h >> 15;
	h *= 0x846ca68bu;
	return h ^ h >> 16;
}

static uint32_t compose(const Format *f, uint32_t sign, int exponent, uint32_t mantissa) {
	const int most = (1 << f->exponent) - (f->has_infinity ? 2 : 1);
	if (exponent < 0) exponent = 0;
	if (exponent > most) exponent = most;
	mantissa &= (1u << f->mantissa) - (1u << f->least_mantissa);
	if (!f->has_infinity && exponent == most && mantissa == (1u << f->mantissa) - 1) mantissa--; /* e4m3's NaN */
	return sign << (f->bits - 1) | (uint32_t)exponent << f->mantissa | mantissa;
}

static uint32_t special(const Format *f, uint32_t r) {
	const uint32_t all = ((1u << f->exponent) - 1) << f->mantissa, sign = (r >> 8 & 1) << (f->bits - 1);
	if (!f->has_infinity) return r % 3 ? sign | (r & 1) << 3 : sign | all | 7; /* e4m3: zero, 2^-6, NaN */
	switch (r % 5) {
	case 0: return sign | all;
	case 1: return sign | all | 1u << (f->mantissa - 1);
	case 2: return sign;
	case 3: return sign | (all - (1u << f->least_mantissa));
	default: return sign | 1u << f->mantissa;
	}
}

static uint32_t fraction(uint32_t r) { /* mostly a power of two, else next to one */
	return r % 8 < 5 ? 0 : r % 8 == 5 ? 1u << 13 | 1 : ~0u;
}

static uint32_t number(const Format *f, ElementFill fill, uint32_t r, uint32_t s) {
	const uint32_t sign = r >> 31, exponents = 1u << f->exponent;
	const int bias = (int)f->bias, reach = f->bits == 32 && !f->least_mantissa ? 26 : f->exponent == 4 ? 7 : 13;
	switch (fill) {
	case FILL_TAME: return compose(f, sign, bias - 3 + (int)(r % 7), s);
	case FILL_WIDE: return compose(f, sign, (int)(r % exponents), s);
	case FILL_POWERS:
		if (r >> 4 & 1) return 0;
		return compose(f, sign, bias + (int)((r >> 8) % (2 * (uint32_t)reach + 1)) - reach, fraction(s >> 3));
	case FILL_CANCEL:
		if (r >> 4 & 3) return compose(f, sign, bias - reach / 2 - (int)((r >> 8) % 6), s);
		return compose(f, sign, bias + reach / 2 - (int)((r >> 8) % 2), fraction(s >> 3));
	case FILL_SPECIAL: return (r >> 8) % 40 == 0 ? special(f, s) : compose(f, sign, bias - 3 + (int)(r % 7), s);
	case FILL_SMALL: return compose(f, sign, r >> 8 & 3 ? (int)(r % 2) : (int)(r % (f->bias + 3)), s);
	default: return s;
	}
}

static uint32_t whole(Element t, uint32_t r) {
	static const uint32_t f16[] = {0, 0x3c00, 0x4000, 0x4200, 0x4400, 0xbc00, 0xc000, 0xc200};
	static const uint32_t bf16[] = {0, 0x3f80, 0x4000, 0x4040, 0x4080, 0xbf80, 0xc000, 0xc040};
	static const uint32_t e4m3[] = {0, 0x38, 0x40, 0x44, 0x48, 0xb8, 0xc0, 0xc4};
	static const uint32_t e5m2[] = {0, 0x3c, 0x40, 0x42, 0x44, 0xbc, 0xc0, 0xc2};
	switch (t) {
	case E_F16: return f16[r % 8];
	case E_BF16: return bf16[r % 8];
	case E_TF32:
	case E_F32: return bf16[r % 8] << 16;
	case E_E4M3: return e4m3[r % 8];
	case E_E5M2: return e5m2[r % 8];
	default: return r % 8;
	}
}

uint32_t element_value(Element t, ElementFill fill, uint32_t seed, uint32_t i) {
	const Format *f = &formats[t];
	const uint32_t r = element_random(seed, 2 * i), s = element_random(seed, 2 * i + 1);
	const uint32_t mask = f->bits == 32 ? ~0u : (1u << f->bits) - 1;
	if (fill == FILL_ZERO) return 0;
	if (fill == FILL_PLACES) return i < 31 * 1024 ? i : i < 62 * 1024 ? 0x8000 + i - 31 * 1024 : 0;
	if (fill == FILL_WHOLE) return whole(t, r) & mask;
	if (!f->exponent || fill == FILL_ANY) return s & mask;
	return number(f, fill, r, s) & mask;
}

void element_words(Element t, ElementFill fill, uint32_t seed, uint32_t *words, uint32_t n) {
	const uint32_t bits = formats[t].bits, each = 32 / bits;
	for (uint32_t w = 0; w < n; w++) {
		words[w] = 0;
		for (uint32_t e = 0; e < each; e++) words[w] |= element_value(t, fill, seed, w * each + e) << bits * e;
	}
}
