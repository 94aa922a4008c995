/* elem.h: element types. */
#include "base/values/elem.h"

#include <math.h>
#include <string.h>

static const struct {
	const char *name;
	size_t bytes;
	const char *aliases[4];
} elems[ELEM_TYPES] = {
	[ELEM_F32] = {"float", 4, {"f32", "float32"}},
	[ELEM_F64] = {"double", 8, {"f64", "float64"}},
	[ELEM_I32] = {"int", 4, {"i32", "s32", "int32_t", "signed"}},
	[ELEM_U32] = {"unsigned", 4, {"u32", "uint32_t", "unsigned int", "uint"}},
	[ELEM_I64] = {"long long", 8, {"i64", "s64", "int64_t", "long"}},
	[ELEM_U64] = {"unsigned long long", 8, {"u64", "uint64_t", "unsigned long", "size_t"}},
	[ELEM_I16] = {"short", 2, {"i16", "s16", "int16_t"}},
	[ELEM_U16] = {"unsigned short", 2, {"u16", "uint16_t"}},
	[ELEM_I8] = {"char", 1, {"i8", "s8", "int8_t", "signed char"}},
	[ELEM_U8] = {"unsigned char", 1, {"u8", "uint8_t", "bool"}},
	[ELEM_F16] = {"half", 2, {"f16", "__half", "float16"}},
	[ELEM_BF16] = {"bfloat16", 2, {"bf16", "__nv_bfloat16", "nv_bfloat16"}},
};

size_t elem_bytes(ElemType type) {
	return elems[type].bytes;
}

const char *elem_name(ElemType type) {
	return elems[type].name;
}

bool elem_is_float(ElemType type) {
	return type == ELEM_F32 || type == ELEM_F64 || type == ELEM_F16 || type == ELEM_BF16;
}

bool elem_parse(const char *name, ElemType *out) {
	for (int t = 0; t < ELEM_TYPES; t++) {
		bool found = strcmp(name, elems[t].name) == 0;
		for (size_t i = 0; i < 4 && !found && elems[t].aliases[i]; i++) found = strcmp(name, elems[t].aliases[i]) == 0;
		if (!found) continue;
		*out = (ElemType)t;
		return true;
	}
	return false;
}

/* --- half precision: 1 sign, 5 exponent, 10 fraction bits --------------------------------------------------------- */

double half_to_double(uint16_t half) {
	int exponent = (half >> 10) & 31, fraction = half & 1023;
	double magnitude;
	if (exponent == 31)
		magnitude = fraction ? NAN : INFINITY;
	else if (exponent == 0)
		magnitude = ldexp(fraction, -24);
	else
		magnitude = ldexp(1024 + fraction, exponent - 25);
	return half & 0x8000 ? -magnitude : magnitude;
}

uint16_t half_from_double(double value) {
	uint16_t sign = signbit(value) ? 0x8000 : 0;
	if (isnan(value)) return sign | 0x7e00;
	double magnitude = fabs(value);
	if (magnitude >= 65520) return sign | 0x7c00; /* half way to 65536, and beyond */
	int exponent = magnitude > 0 ? ilogb(magnitude) : -24;
	if (exponent < -14) exponent = -14; /* subnormal halves share the smallest exponent's spacing */
	int units = (int)nearbyint(ldexp(magnitude, 10 - exponent)); /* of the last place; 2048 carries into the exponent */
	return (uint16_t)(sign | (((exponent + 14) << 10) + units));
}

/* --- bfloat16: the upper half of a float -------------------------------------------------------- */

double bfloat16_to_double(uint16_t value) {
	const uint32_t bits = (uint32_t)value << 16;
	float f;
	memcpy(&f, &bits, sizeof f);
	return f;
}

/* Rounded to 8 bits at once: by way of a float it would be rounded twice. */
uint16_t bfloat16_from_double(double value) {
	const uint16_t sign = signbit(value) ? 0x8000 : 0;
	const double magnitude = fabs(value);
	if (isnan(value)) return sign | 0x7fc0;
	if (isinf(value)) return sign | 0x7f80;
	int exponent = magnitude > 0 ? ilogb(magnitude) : -126;
	if (exponent < -126) exponent = -126;
	if (exponent > 127) return sign | 0x7f80;
	const int units =
		(int)nearbyint(ldexp(magnitude, 7 - exponent)); /* 256 carries into the exponent, to infinity too */
	return (uint16_t)(sign | (((exponent + 126) << 7) + units));
}

/* --- one element -------------------------------------------------------------------------------------------------- */

double elem_get(ElemType type, const void *element) {
	float f;
	double d;
	uint16_t h;
	uint64_t u;
	switch (type) {
	case ELEM_F32: memcpy(&f, element, sizeof f); return f;
	case ELEM_F64: memcpy(&d, element, sizeof d); return d;
	case ELEM_F16: memcpy(&h, element, sizeof h); return half_to_double(h);
	case ELEM_BF16: memcpy(&h, element, sizeof h); return bfloat16_to_double(h);
	case ELEM_U64: memcpy(&u, element, sizeof u); return (double)u;
	default: return (double)elem_get_int(type, element);
	}
}

#define LOAD(T)                                                                                                        \
	{                                                                                                                  \
		T v;                                                                                                           \
		memcpy(&v, element, sizeof v);                                                                                 \
		return (int64_t)v;                                                                                             \
	}
int64_t elem_get_int(ElemType type, const void *element) {
	switch (type) {
	case ELEM_I32: LOAD(int32_t)
	case ELEM_U32: LOAD(uint32_t)
	case ELEM_I64: LOAD(int64_t)
	case ELEM_U64: LOAD(uint64_t)
	case ELEM_I16: LOAD(int16_t)
	case ELEM_U16: LOAD(uint16_t)
	case ELEM_I8: LOAD(int8_t)
	case ELEM_U8: LOAD(uint8_t)
	default: return (int64_t)elem_get(type, element);
	}
}
#undef LOAD

/* As a C cast where it is defined; what does not fit 64 bits ends at the limits, NaN at 0. */
static int64_t to_int(ElemType type, double value) {
	if (isnan(value)) return 0;
	if (type == ELEM_U64 && value >= 0x1p63) return value >= 0x1p64 ? -1 : (int64_t)(uint64_t)value;
	if (value >= 0x1p63) return INT64_MAX;
	if (value < -0x1p63) return INT64_MIN;
	return (int64_t)value;
}

void elem_set(ElemType type, void *element, double value) {
	float f = (float)value;
	uint16_t h;
	switch (type) {
	case ELEM_F32: memcpy(element, &f, sizeof f); break;
	case ELEM_F64: memcpy(element, &value, sizeof value); break;
	case ELEM_F16:
	case ELEM_BF16:
		h = type == ELEM_F16 ? half_from_double(value) : bfloat16_from_double(value);
		memcpy(element, &h, sizeof h);
		break;
	default: elem_set_int(type, element, to_int(type, value));
	}
}

void elem_set_int(ElemType type, void *element, int64_t value) {
	if (elem_is_float(type))
		elem_set(type, element, (double)value);
	else
		memcpy(element, &value, elems[type].bytes); /* little endian: the low bits come first */
}

/* --- ranges ------------------------------------------------------------------------------------------------------- */

void elem_fill_value(ElemType type, void *elements, size_t count, double value) {
	size_t bytes = elems[type].bytes;
	char *at = elements;
	if (count == 0) return;
	elem_set(type, at, value);
	for (size_t done = 1, n; done < count; done += n) { /* double what is there */
		n = done < count - done ? done : count - done;
		memcpy(at + done * bytes, at, n * bytes);
	}
}

void elem_fill_iota(ElemType type, void *elements, size_t count, double first) {
	size_t bytes = elems[type].bytes;
	char *at = elements;
	if (elem_is_float(type)) {
		for (size_t i = 0; i < count; i++) elem_set(type, at + i * bytes, first + (double)i);
		return;
	}
	uint64_t start = (uint64_t)to_int(type, first);
	for (size_t i = 0; i < count; i++) elem_set_int(type, at + i * bytes, (int64_t)(start + i));
}

/* Element i depends on the seed and i alone (SplitMix64 of their sum), so that any part can be made anywhere. */
static uint64_t random_bits(uint64_t seed, uint64_t i) {
	uint64_t z = seed + (i + 1) * 0x9e3779b97f4a7c15u;
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

void elem_fill_random(ElemType type, void *elements, size_t count, uint64_t seed) {
	float *f = elements;
	double *d = elements;
	uint16_t *h = elements;
	char *at = elements;
	switch (type) { /* as many random bits as the significand holds, so that 1 is never reached */
	case ELEM_F32:
		for (size_t i = 0; i < count; i++) f[i] = (float)(random_bits(seed, i) >> 40) * 0x1p-24F;
		break;
	case ELEM_F64:
		for (size_t i = 0; i < count; i++) d[i] = (double)(random_bits(seed, i) >> 11) * 0x1p-53;
		break;
	case ELEM_F16:
		for (size_t i = 0; i < count; i++) h[i] = half_from_double((double)(random_bits(seed, i) >> 53) * 0x1p-11);
		break;
	case ELEM_BF16:
		for (size_t i = 0; i < count; i++) h[i] = bfloat16_from_double((double)(random_bits(seed, i) >> 56) * 0x1p-8);
		break;
	default:
		for (size_t i = 0; i < count; i++)
			elem_set_int(type, at + i * elems[type].bytes, (int64_t)random_bits(seed, i));
	}
}

void elem_fill_sentinel(ElemType type, void *elements, size_t count) {
	memset(elements, 0xff, count * elems[type].bytes);
}
