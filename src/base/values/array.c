/* array.h: typed arrays on the host. */
#include "base/values/array.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool array_new(Array *out, ElemType type, size_t count, Err *err) {
	size_t bytes;
	void *data = NULL;
	if (__builtin_mul_overflow(count, elem_bytes(type), &bytes) || bytes > PTRDIFF_MAX ||
		(bytes && !(data = calloc(bytes, 1)))) {
		err_set(err, ERR_SETUP, "no memory for an array of %zu elements of type %s", count, elem_name(type));
		return err_hint(err, "try a smaller size");
	}
	*out = (Array){.type = type, .count = count, .data = data};
	return true;
}

void array_free(Array *array) {
	free(array->data);
	array->data = NULL;
	array->count = 0;
}

void *array_at(const Array *array, size_t i) {
	return (char *)array->data + i * elem_bytes(array->type);
}

/* Square tiles keep both the rows read and the rows written in the cache. */
enum { TILE = 32 };

#define TRANSPOSE(T)                                                                                                   \
	do {                                                                                                               \
		const T *from = in;                                                                                            \
		T *to = out;                                                                                                   \
		for (size_t r0 = 0; r0 < rows; r0 += TILE)                                                                     \
			for (size_t c0 = 0; c0 < cols; c0 += TILE)                                                                 \
				for (size_t r = r0; r < rows && r < r0 + TILE; r++)                                                    \
					for (size_t c = c0; c < cols && c < c0 + TILE; c++) to[c * rows + r] = from[r * cols + c];         \
	} while (0)

static void transpose(const void *in, void *out, size_t bytes, size_t rows, size_t cols) {
	switch (bytes) {
	case 1: TRANSPOSE(uint8_t); break;
	case 2: TRANSPOSE(uint16_t); break;
	case 4: TRANSPOSE(uint32_t); break;
	default: TRANSPOSE(uint64_t); break;
	}
}

bool array_transpose(const Array *array, size_t rows, size_t cols, Array *out, Err *err) {
	size_t count;
	if (__builtin_mul_overflow(rows, cols, &count) || count != array->count)
		return err_set(err, ERR_USAGE, "%zu x %zu is not the array's %zu elements", rows, cols, array->count);
	Array result = {0};
	if (!array_new(&result, array->type, array->count, err)) return false;
	if (result.data) transpose(array->data, result.data, elem_bytes(array->type), rows, cols);
	*out = result;
	return true;
}

bool array_cycle(const Array *array, size_t count, Array *out, Err *err) {
	if (array->count == 0 && count > 0) return err_set(err, ERR_USAGE, "an empty array cannot be repeated");
	if (!array_new(out, array->type, count, err)) return false;
	const size_t size = elem_bytes(array->type);
	for (size_t i = 0; i < count; i += array->count) {
		const size_t some = count - i < array->count ? count - i : array->count;
		memcpy(array_at(out, i), array->data, some * size);
	}
	return true;
}

static double sum_range(const Array *array, size_t first, size_t count) {
	if (count > 256) return sum_range(array, first, count / 2) + sum_range(array, first + count / 2, count - count / 2);
	double sum = 0;
	for (size_t i = 0; i < count; i++) sum += elem_get(array->type, array_at(array, first + i));
	return sum;
}

double array_sum(const Array *array) {
	return sum_range(array, 0, array->count);
}

int64_t array_sum_int(const Array *array) {
	uint64_t sum = 0;
	for (size_t i = 0; i < array->count; i++) sum += (uint64_t)elem_get_int(array->type, array_at(array, i));
	return (int64_t)sum;
}

double array_relative_error(const Array *got, const Array *want) {
	double off = 0, all = 0;
	for (size_t i = 0; i < got->count; i++) {
		const double is = elem_get(got->type, array_at(got, i)), should = elem_get(want->type, array_at(want, i));
		off += (is - should) * (is - should);
		all += should * should;
	}
	return off == 0 ? 0 : sqrt(off / all);
}

static bool within(double got, double want, Tolerance t) {
	if (got == want) return true;
	double allowed = fmax(t.absolute, t.relative * fabs(want));
	return fabs(got - want) <= allowed && isfinite(want); /* false for NaN */
}

static bool equal(const Array *got, const Array *want, size_t i, Tolerance t) {
	const void *g = array_at(got, i), *w = array_at(want, i);
	if (got->type == ELEM_F32) return within(*(const float *)g, *(const float *)w, t);
	if (!elem_is_float(got->type) && memcmp(g, w, elem_bytes(got->type)) == 0) return true;
	if (!elem_is_float(got->type) && t.relative == 0 && t.absolute == 0) return false;
	return within(elem_get(got->type, g), elem_get(want->type, w), t);
}

enum { RANGE = 1024 };

#define ALL_EQUAL(T)                                                                                                   \
	do {                                                                                                               \
		const T *g = got, *w = want;                                                                                   \
		uint32_t other = 0;                                                                                            \
		for (size_t i = 0; i < n; i++) other |= !(g[i] == w[i]);                                                       \
		return !other;                                                                                                 \
	} while (0)

/* Without branches: nearly always all is equal, and that is as fast as memory can be read. NaN is equal to nothing, so
 * that bytes will not do for floats. False also where it takes a closer look. */
static bool all_equal(ElemType type, const void *got, const void *want, size_t n) {
	switch (type) {
	case ELEM_F32: ALL_EQUAL(float);
	case ELEM_F64: ALL_EQUAL(double);
	default: return !elem_is_float(type) && memcmp(got, want, n * elem_bytes(type)) == 0;
	}
}

size_t array_mismatch(const Array *got, const Array *want, Tolerance tolerance, size_t *first, size_t most) {
	size_t n = 0;
	for (size_t from = 0; from < got->count; from += RANGE) {
		const size_t to = got->count - from < RANGE ? got->count : from + RANGE;
		if (all_equal(got->type, array_at(got, from), array_at(want, from), to - from)) continue;
		for (size_t i = from; i < to; i++) {
			if (equal(got, want, i, tolerance)) continue;
			if (n++ < most) first[n - 1] = i;
		}
	}
	return n;
}

size_t array_first_other(const Array *a, const Array *b) {
	const size_t each = elem_bytes(a->type);
	const uint8_t *x = a->data, *y = b->data;
	if (!a->count || !memcmp(x, y, a->count * each)) return a->count;
	size_t i = 0;
	while (!memcmp(x + i * each, y + i * each, each)) i++;
	return i;
}
