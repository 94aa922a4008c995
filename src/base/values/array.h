/* A typed array on the host: what a buffer is filled from, compared with, or downloaded into.
 * Failure: array_new fails (ERR_SETUP) where memory does not suffice; everything else that can fail says how. */
#pragma once

#include "base/err.h"
#include "base/values/elem.h"

typedef struct {
	ElemType type;
	size_t count;
	void *data; /* NULL only for an empty array */
} Array;

bool array_new(Array *out, ElemType type, size_t count, Err *err); /* zeroed */
void array_free(Array *array);                                     /* leaves an empty array */
void *array_at(const Array *array, size_t i);

/* rows × cols stored row by row becomes cols × rows. False (ERR_USAGE) unless rows × cols is the count. */
bool array_transpose(const Array *array, size_t rows, size_t cols, Array *out, Err *err);

/* The array over and over until there are count elements. False (ERR_USAGE) where there is nothing to repeat. */
bool array_cycle(const Array *array, size_t count, Array *out, Err *err);

/* Floats: pairwise in double, error growth O(log n). Integers: modulo 2⁶⁴, exact if the true sum fits. */
double array_sum(const Array *array);
int64_t array_sum_int(const Array *array);

typedef struct {
	double relative; /* of the wanted value */
	double absolute;
} Tolerance;

/* got and want differ at an element where neither tolerance is kept: |got - want| > max(absolute, relative × |want|).
 * NaN differs from everything; the same infinity is equal. Integers are compared exactly where the tolerance is 0.
 * Returns how many elements differ and stores the indices of the first `most` of them. Types and counts must be equal.
 */
size_t array_mismatch(const Array *got, const Array *want, Tolerance tolerance, size_t *first, size_t most);

/* ‖got - want‖ / ‖want‖, by roots of sums of squares; 0 if they are equal. Types and counts must be equal. */
double array_relative_error(const Array *got, const Array *want);

/* The first element whose bytes differ, a NaN being equal to itself; the count if none does. Types and counts must be
 * equal. */
size_t array_first_other(const Array *a, const Array *b);
