/* Formulas of the golden tests: C expressions over doubles and 64-bit integers. `i` is the element's index; a buffer's
 * name with an index is what it held before the launch: in[i + 1]. Functions: f32 (round to float), u32, s32, min, max,
 * abs, sqrt, fact, popc. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct {
	bool is_int;
	int64_t n;
	double x;
} Number;

typedef struct {
	Number i;
	bool (*element)(void *user, const char *buffer, int64_t index, Number *out); /* false: no such buffer or index */
	void *user;
} FormulaContext;

/* False: text is no formula; *bad points at the trouble. */
bool formula(const char *text, const FormulaContext *context, Number *out, const char **bad);

static inline double as_double(Number v) {
	return v.is_int ? (double)v.n : v.x;
}
static inline int64_t as_int(Number v) {
	return v.is_int ? v.n : (int64_t)v.x;
}
