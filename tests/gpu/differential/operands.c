/* operands.h */
#include "operands.h"

#include <math.h>
#include <string.h>

uint64_t mix(uint64_t x) {
	x += 0x9e3779b97f4a7c15u;
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
	x = (x ^ x >> 27) * 0x94d049bb133111ebu;
	return x ^ x >> 31;
}

/* --- edges -------------------------------------------------------------------------------------------------------- */

static const uint64_t integers[] = {0,
									1,
									2,
									3,
									7,
									8,
									15,
									16,
									31,
									32,
									33,
									63,
									64,
									127,
									128,
									255,
									256,
									0x7fff,
									0x8000,
									0x8001,
									0xffff,
									0x10000,
									0x7fffff,
									0x800000,
									0xffffff,
									0x1000000,
									0x7fffffff,
									0x80000000,
									0x80000001,
									0xfffffffe,
									0xffffffff,
									0x100000000,
									0x20000000000001,
									0x7fffffffffffffff,
									0x8000000000000000,
									0x8000000000000001,
									0xffffffffffffff80,
									0xffffffffffff8000,
									0xffffffff80000000,
									0xfffffffffffffff0,
									0xfffffffffffffffe,
									0xffffffffffffffff};

/* Zeros, ones, halves between integers, ends of ranges, subnormals, infinities, NaNs with payloads, ties. */
static const uint32_t singles[] = {0x00000000, 0x80000000, 0x3f800000, 0xbf800000, 0x00000001, 0x80000001, 0x007fffff,
								   0x807fffff, 0x00800000, 0x80800000, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000,
								   0x7fc00000, 0x7f800001, 0xffc12345, 0x7fffffff, 0x3f000000, 0xbf000000, 0x3fc00000,
								   0x40200000, 0xc0200000, 0x3f800001, 0x3f7fffff, 0x3f801000, 0x3f803000, 0x3f808000,
								   0x3f818000, 0x4b000001, 0x4b800001, 0x4effffff, 0x4f000000, 0xcf000000, 0x4f7fffff,
								   0x4f800000, 0x5f000000, 0xdf000000, 0x5f800000, 0x40490fdb, 0x477fe000, 0x477fefff,
								   0x477ff000, 0x7e800000, 0x7f000000, 0x33000000, 0x33800001, 0x38800000, 0x437f0000,
								   0x42ff0000, 0xc3008000, 0x46fffe00, 0x47800000, 0x43e00000, 0x47600000, 0x3e99999a};

static const uint64_t doubles[] = {0,
								   0x8000000000000000,
								   0x3ff0000000000000,
								   0xbff0000000000000,
								   1,
								   0x8000000000000001,
								   0x000fffffffffffff,
								   0x0010000000000000,
								   0x8010000000000000,
								   0x7fefffffffffffff,
								   0xffefffffffffffff,
								   0x7ff0000000000000,
								   0xfff0000000000000,
								   0x7ff8000000000000,
								   0x7ff0000000000001,
								   0xfff8123456789abc,
								   0x7fffffffffffffff,
								   0x3fe0000000000000,
								   0xbfe0000000000000,
								   0x3ff8000000000000,
								   0x4004000000000000,
								   0x3ff0000000000001,
								   0x3fefffffffffffff,
								   0x3ff0000010000000,
								   0x3ff0000030000000,
								   0x3ff0000010000001,
								   0x4330000000000001,
								   0x4340000000000001,
								   0x41dfffffffc00000,
								   0x41e0000000000000,
								   0xc1e0000000000000,
								   0xc1e0000000200000,
								   0x41efffffffe00000,
								   0x41f0000000000000,
								   0x43e0000000000000,
								   0xc3e0000000000000,
								   0x43f0000000000000,
								   0x36a0000000000000,
								   0x3690000000000000,
								   0x3690000000000001,
								   0x3810000000000000,
								   0x380fffffffffffff,
								   0x47efffffe0000000,
								   0x47effffff0000000,
								   0x47f0000000000000,
								   0x40effe0000000000,
								   0x3e70000000000000,
								   0x40dfffc000000000,
								   0x7fd0000000000000,
								   0x7fe0000000000000,
								   0x400921fb54442d18,
								   0x3fd3333333333333};

static const uint16_t halves[] = {0x0000, 0x8000, 0x3c00, 0xbc00, 0x0001, 0x8001, 0x03ff, 0x83ff, 0x0400, 0x8400,
								  0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7e00, 0x7c01, 0xfe55, 0x7fff, 0x3800, 0xb800,
								  0x3e00, 0x4100, 0xc100, 0x3c01, 0x3bff, 0x6400, 0x6401, 0x67ff, 0x77ff, 0x7800,
								  0x5bf8, 0x5800, 0x57f0, 0xd800, 0x5c00, 0x4248, 0x34cd, 0x7b00};

static const uint16_t brains[] = {0x0000, 0x8000, 0x3f80, 0xbf80, 0x0001, 0x8001, 0x007f, 0x0080, 0x8080,
								  0x7f7f, 0xff7f, 0x7f80, 0xff80, 0x7fc0, 0x7f81, 0xffd5, 0x7fff, 0x3f00,
								  0xbf00, 0x3fc0, 0x4020, 0x3f81, 0x3f7f, 0x4300, 0x4301, 0x437f, 0x4700,
								  0x4780, 0x4f00, 0xcf00, 0x5f00, 0x4049, 0x3e9a, 0x7e80, 0x7f00};

#define COUNT(a) (sizeof(a) / sizeof *(a))

static uint64_t edge(FormKind kind, uint64_t n) {
	switch (kind) {
	case FORM_F32: return singles[n % COUNT(singles)];
	case FORM_F64: return doubles[n % COUNT(doubles)];
	case FORM_F16: return halves[n % COUNT(halves)];
	case FORM_BF16: return brains[n % COUNT(brains)];
	default: return integers[n % COUNT(integers)];
	}
}

static uint64_t edges_of(FormKind kind) {
	switch (kind) {
	case FORM_F32: return COUNT(singles);
	case FORM_F64: return COUNT(doubles);
	case FORM_F16: return COUNT(halves);
	case FORM_BF16: return COUNT(brains);
	default: return COUNT(integers);
	}
}

/* --- at random ---------------------------------------------------------------------------------------------------- */

typedef struct {
	unsigned mantissa, exponent; /* bits */
} Format;

static Format format(FormKind kind) {
	switch (kind) {
	case FORM_F32: return (Format){23, 8};
	case FORM_F64: return (Format){52, 11};
	case FORM_F16: return (Format){10, 5};
	default: return (Format){7, 8};
	}
}

static bool is_scalar_float(FormKind kind) {
	return kind == FORM_F32 || kind == FORM_F64 || kind == FORM_F16 || kind == FORM_BF16;
}

/* A number of moderate size with few or many significant bits. */
static uint64_t moderate(FormKind kind, uint64_t r) {
	const Format f = format(kind);
	const uint64_t bias = (1u << (f.exponent - 1)) - 1, span = f.exponent == 5 ? 12 : 24;
	uint64_t mantissa = mix(r) & ((1ull << f.mantissa) - 1);
	if (r & 1) mantissa &= ~((1ull << (mix(r + 1) % (f.mantissa + 1))) - 1);
	const uint64_t exponent = bias - span / 2 + mix(r + 2) % span;
	return (mix(r + 3) & 1) << (f.mantissa + f.exponent) | exponent << f.mantissa | mantissa;
}

static double value(FormKind kind, uint64_t bits) {
	const Format f = format(kind);
	const int bias = (1 << (f.exponent - 1)) - 1;
	const uint64_t mantissa = bits & ((1ull << f.mantissa) - 1),
				   exponent = bits >> f.mantissa & ((1u << f.exponent) - 1);
	const double sign = bits >> (f.mantissa + f.exponent) & 1 ? -1 : 1;
	if (exponent == (1u << f.exponent) - 1) return mantissa ? NAN : sign * INFINITY;
	if (!exponent) return sign * ldexp((double)mantissa, 1 - bias - (int)f.mantissa);
	return sign * ldexp((double)(mantissa | 1ull << f.mantissa), (int)exponent - bias - (int)f.mantissa);
}

/* The bits of the number of this format next to x, toward zero. */
static uint64_t near(FormKind kind, double x) {
	const Format f = format(kind);
	const int bias = (1 << (f.exponent - 1)) - 1;
	const uint64_t sign = (uint64_t)(signbit(x) != 0) << (f.mantissa + f.exponent);
	int e;
	if (x != x || x == 0 || fabs(x) == INFINITY) return sign;
	const double m = frexp(fabs(x), &e);
	if (e + bias - 1 < 1) return sign | (uint64_t)ldexp(fabs(x), bias - 1 + (int)f.mantissa);
	if (e + bias - 1 >= (1 << f.exponent) - 1)
		return sign | ((1ull << (f.mantissa + f.exponent)) - 1 - (1ull << f.mantissa));
	return sign | (((uint64_t)(e + bias - 1) << f.mantissa) +
				   ((uint64_t)ldexp(m, (int)f.mantissa + 1) & ((1ull << f.mantissa) - 1)));
}

static uint64_t random_float(FormKind kind, uint32_t position, uint64_t number, uint64_t r) {
	const uint64_t how = mix(number * 4 + 0x5eed) % 8; /* the same for all positions of a vector */
	if (position == 1 && how == 1)
		return operand(kind, 0, number) ^ (mix(r) & 3) ^ (mix(r + 1) & 1) << (form_bytes(kind) * 8 - 1);
	if (position == 2 && how >= 4) { /* c near -a * b */
		const double a = value(kind, operand(kind, 0, number)), b = value(kind, operand(kind, 1, number));
		return near(kind, -a * b) + mix(r) % 3;
	}
	if (how < 3) return mix(r);
	return how == 3 ? edge(kind, mix(r)) : moderate(kind, mix(r));
}

static uint64_t random_integer(uint64_t r) {
	switch (r >> 60) {
	case 0:
	case 1:
	case 2: return edge(FORM_I64, mix(r));
	case 3: return mix(r) % 256;
	case 4: return 0 - mix(r) % 256;
	case 5: return 1ull << (mix(r) & 63);
	case 6: return (1ull << (mix(r) & 63)) - 1;
	case 7: return mix(r) >> (mix(r + 1) & 63);
	default: return mix(r);
	}
}

static uint64_t scalar(FormKind kind, uint32_t position, uint64_t number) {
	const uint64_t r = mix(mix((uint64_t)kind * 64 + position) ^ number), n = edges_of(kind);
	if (form_bytes(kind) == 2 && position == 0 && number >= 4096 && number < 69632)
		return (number * 0x6487) & 0xffff; /* an odd number: every value there is */
	if (number < 2048) {
		if (position == 0) return edge(kind, number);
		if (position == 1) return edge(kind, number / n + number % n * (number / (n * n)));
		return edge(kind, r);
	}
	return is_scalar_float(kind) ? random_float(kind, position, number, r) : random_integer(r);
}

static uint64_t few(uint64_t r) {
	static const uint64_t values[] = {0, 1, 0x8000800080008000, 0xffffffffffffffff};
	return values[r % 4];
}

uint64_t operand(FormKind kind, uint32_t position, uint64_t number) {
	const uint64_t r = mix(mix((uint64_t)kind * 64 + position) ^ number);
	uint64_t v;
	switch (kind) {
	case FORM_NONE:
	case FORM_LITERAL: return 0;
	case FORM_PRED: /* whole warps alike now and then */
		return mix(number / 32 + position) % 4 == 0 ? mix(number / 32) >> 7 & 1 : r & 1;
	case FORM_F16X2:
	case FORM_BF16X2: {
		const FormKind part = kind == FORM_F16X2 ? FORM_F16 : FORM_BF16;
		v = (scalar(part, position, number) & 0xffff) | (scalar(part, position, mix(number) % 65536) & 0xffff) << 16;
		break;
	}
	case FORM_COUNT: v = r % 8 < 5 ? mix(r) % 72 : r % 8 == 5 ? mix(r) % 300 : edge(FORM_I32, mix(r)); break;
	case FORM_LANE: v = mix(r) % 40; break;
	case FORM_OFFSET: v = mix(r) % 67 - 33; break;
	case FORM_TAME_F32: v = moderate(FORM_F32, r); break;
	case FORM_TAME_F64: v = moderate(FORM_F64, r); break;
	case FORM_TAME_F16X2:
	case FORM_TAME_BF16X2: {
		const FormKind part = kind == FORM_TAME_F16X2 ? FORM_F16 : FORM_BF16;
		v = moderate(part, r) | moderate(part, mix(r)) << 16;
		break;
	}
	case FORM_FEW16:
	case FORM_FEW32:
	case FORM_FEW64: v = mix(number / 32) % 3 == 0 ? few(mix(number / 32)) : few(r); break;
	default: v = scalar(kind, position, number); break;
	}
	const uint32_t bytes = form_bytes(kind);
	return bytes == 8 ? v : v & ((1ull << 8 * bytes) - 1);
}
