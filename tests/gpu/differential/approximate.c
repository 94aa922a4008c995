/* approximate.h */
#include "approximate.h"

#include <math.h>
#include <string.h>

typedef enum { ULPS, RELATIVE, ABSOLUTE, LG2, CIRCULAR } Measure;

typedef struct {
	const char *start; /* of the name, up to its types */
	const char *type;
	Measure measure;
	double bound;
} Bound;

static const Bound bounds[] = {
	{"div.approx", "f32", ULPS, 2},
	{"div.full", "f32", ULPS, 2},
	{"rcp.approx", "f32", ULPS, 1},
	{"rcp.approx", "f64", RELATIVE, 0x1p-20}, /* the upper word alone is given; no bound is documented */
	{"sqrt.approx", "f32", RELATIVE, 0x1p-23},
	{"rsqrt.approx", "f32", RELATIVE, 0x1.125p-23}, /* 2^-22.9 */
	{"rsqrt.approx", "f64", RELATIVE, 0x1p-20},     /* as for rcp */
	{"ex2.approx", "f32", ULPS, 2},
	{"lg2.approx", "f32", LG2, 0x1p-22},
	{"sin.approx", "f32", CIRCULAR, 0x1.6a1p-21}, /* 2^-20.5 */
	{"cos.approx", "f32", CIRCULAR, 0x1.6a1p-21},
	{"tanh.approx", "f32", RELATIVE, 0x1p-11},
	{"tanh.approx", "f16", ABSOLUTE, 0x1.026p-11}, /* 2^-10.987 */
	{"tanh.approx", "bf16", ABSOLUTE, 0x1.001p-8}, /* 2^-8; the H200, and so the emulator, exceeds it by 0.007 % once */
	{"ex2.approx", "f16", RELATIVE, 0x1.125p-10},  /* 2^-9.9 */
	{"ex2.approx", "bf16", RELATIVE, 0x1p-7},
};

static const Bound *bound_of(const Form *form) {
	const size_t last = strcspn(form->last, "x");
	for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++) {
		const Bound *b = &bounds[i];
		if (!strncmp(form->name, b->start, strlen(b->start)) && strlen(b->type) == last &&
			!strncmp(form->last, b->type, last))
			return b;
	}
	return NULL;
}

bool approximate(const Form *form) {
	return bound_of(form) != NULL;
}

static double value_of(const char *type, uint64_t bits) {
	if (!strncmp(type, "f64", 3)) {
		double x;
		memcpy(&x, &bits, 8);
		return x;
	}
	if (!strncmp(type, "f16", 3)) {
		const uint64_t m = bits & 0x3ff, e = bits >> 10 & 31;
		const double size = e == 31 ? (m ? NAN : INFINITY)
							: e     ? ldexp((double)(m | 0x400), (int)e - 25)
									: ldexp((double)m, -24);
		return bits & 0x8000 ? -size : size;
	}
	const uint32_t word = *type == 'b' ? (uint32_t)bits << 16 : (uint32_t)bits;
	float x;
	memcpy(&x, &word, 4);
	return x;
}

/* The last place of a number of this size. */
static double ulp(const char *type, double x) {
	int e;
	frexp(x, &e);
	const int digits = !strncmp(type, "f64", 3) ? 53 : !strncmp(type, "f32", 3) ? 24 : *type == 'b' ? 8 : 11;
	const int least = !strncmp(type, "f64", 3) ? -1021 : !strncmp(type, "f16", 3) ? -13 : -125;
	return ldexp(1.0, (e < least ? least : e) - digits);
}

static double smallest_normal(const char *type) {
	return !strncmp(type, "f64", 3) ? 0x1p-1022 : !strncmp(type, "f16", 3) ? 0x1p-14 : 0x1p-126;
}
static double largest(const char *type) {
	return !strncmp(type, "f64", 3)   ? 0x1.fffffffffffffp1023
		   : !strncmp(type, "f16", 3) ? 65504.0
		   : *type == 'b'             ? 0x1.fep127
									  : 0x1.fffffep127;
}

static long double exact(const char *name, double a, double b) {
	const long double x = a, y = b;
	switch (*name) {
	case 'd': return x / y;
	case 'e': return exp2l(x);
	case 'l': return x == 0 ? -INFINITY : log2l(x);
	case 'c': return cosl(x);
	case 't': return tanhl(x);
	case 'r': return name[1] == 'c' ? 1 / x : 1 / sqrtl(x);
	default: return name[1] == 'i' ? sinl(x) : sqrtl(x);
	}
}

static double one_error(const Form *form, const Bound *bound, double a, double b, double got) {
	const char *type = form->last;
	const bool flush = strstr(form->name, ".ftz") != NULL;
	if (flush && fabs(a) < smallest_normal(type)) a = copysign(0, a);
	if (flush && fabs(b) < smallest_normal(type)) b = copysign(0, b);
	if (*form->name == 'd' && form->name[4] == 'a' && fabs(b) > 0x1p126 &&
		fabs(b) < INFINITY) /* documented: zero, or NaN */
		return fabs(a) == INFINITY ? (got != got ? 0 : INFINITY)
			   : a != a            ? (got != got ? 0 : INFINITY)
			   : got == 0          ? 0
								   : INFINITY;
	const long double want = exact(form->name, a, b);
	if (want != want) return got != got ? 0 : INFINITY;
	if (fabsl(want) == INFINITY) return got == (double)want ? 0 : INFINITY;
	if (got != got) return INFINITY;
	if (flush && fabsl(want) < smallest_normal(type) && got == 0) return 0;
	const double off = (double)fabsl(want - (long double)got);
	/* Near the top a result may be infinite, where rounding would not have been far from it. */
	if (fabs(got) == INFINITY) return fabsl(want) > largest(type) * (1 - 0x1p-7) ? 0 : INFINITY;
	const double place = ulp(type, (double)want);
	switch (bound->measure) {
	case ULPS: return off / (bound->bound * place);
	case ABSOLUTE: return off / bound->bound;
	case LG2: return a > 0.5 && a < 2 ? off / bound->bound : off / (bound->bound * fabs((double)want));
	case CIRCULAR: /* 2^-14.7 up to 100 pi, nothing beyond */
		return fabs(a) > 314.15926 ? 0 : fabs(a) > 6.2831853 ? off / 0x1.3b2p-15 : off / bound->bound;
	default: return want == 0 ? (off == 0 ? 0 : INFINITY) : off / fmax(bound->bound * fabs((double)want), place);
	}
}

double approximate_error(const Form *form, const uint64_t *operands, uint64_t result) {
	const Bound *bound = bound_of(form);
	const bool packed = strchr(form->last, 'x') != NULL;
	double worst = 0;
	for (unsigned half = 0; half < (packed ? 2u : 1u); half++) {
		const unsigned at = 16 * half;
		const uint64_t keep = packed || form_bytes(form->dst[0].kind) == 2 ? 0xffff : ~0ull;
		const uint64_t word = strcmp(form->last, "f64") || !strstr(form->name, ".ftz")
								  ? keep
								  : 0xffffffff00000000; /* the upper one counts */
		const double e =
			one_error(form, bound, value_of(form->last, operands[0] >> at & word),
					  value_of(form->last, operands[1] >> at & keep), value_of(form->last, result >> at & keep));
		if (e > worst) worst = e;
	}
	return worst;
}
