/* Element types, fills, and typed arrays on the host. */
#include "check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "base/values/array.h"

static void types_have_names_and_sizes(void **state) {
	const size_t sizes[ELEM_TYPES] = {4, 8, 4, 4, 8, 8, 2, 2, 1, 1, 2};
	for (ElemType t = ELEM_F32; t <= ELEM_F16; t++) {
		ElemType back = t == ELEM_F32 ? ELEM_F64 : ELEM_F32;
		assert_int_equal(elem_bytes(t), sizes[t]);
		assert_true(elem_parse(elem_name(t), &back));
		assert_int_equal(back, t);
	}
	ElemType type = ELEM_F16;
	assert_true(elem_parse("uint32_t", &type));
	assert_int_equal(type, ELEM_U32);
	assert_false(elem_parse("", &type));
	assert_false(elem_parse("Float", &type));
	assert_int_equal(type, ELEM_U32); /* untouched */
	assert_true(elem_is_float(ELEM_F16));
	assert_false(elem_is_float(ELEM_I8));
}

static void halves_go_both_ways(void **state) {
	for (uint32_t h = 0; h < 65536; h++) {
		double value = half_to_double((uint16_t)h);
		if (isnan(value)) {
			assert_true(isnan(half_to_double(half_from_double(value))));
		} else {
			assert_int_equal(half_from_double(value), h);
		}
	}
	assert_int_equal(half_from_double(1.0), 0x3c00);
	assert_int_equal(half_from_double(-2.0), 0xc000);
	assert_int_equal(half_from_double(65519.0), 0x7bff);
	assert_int_equal(half_from_double(65520.0), 0x7c00);
	assert_int_equal(half_from_double(1e300), 0x7c00);
	assert_int_equal(half_from_double(1 + 0x1p-11), 0x3c00); /* a tie goes to even */
	assert_int_equal(half_from_double(1 + 3 * 0x1p-11), 0x3c02);
	assert_int_equal(half_from_double(0x1p-24), 1); /* the least there is */
	assert_int_equal(half_from_double(0x1p-25), 0);
	assert_int_equal(half_from_double(-0.0), 0x8000);
}

static void values_pass_exactly(void **state) {
	union {
		uint64_t words[2];
		char bytes[16];
	} cell = {{0}};
	const int64_t wide[] = {0, 1, -1, INT64_MAX, INT64_MIN, 0x0123456789abcdef};
	for (size_t i = 0; i < sizeof wide / sizeof *wide; i++) {
		elem_set_int(ELEM_I64, &cell, wide[i]);
		assert_true(elem_get_int(ELEM_I64, &cell) == wide[i]);
		elem_set_int(ELEM_U64, &cell, wide[i]);
		assert_true(elem_get_int(ELEM_U64, &cell) == wide[i]);
	}
	elem_set_int(ELEM_U8, &cell, 0x1ff);
	assert_int_equal(elem_get_int(ELEM_U8, &cell), 255);
	elem_set_int(ELEM_I8, &cell, 0x1ff);
	assert_int_equal(elem_get_int(ELEM_I8, &cell), -1);
	elem_set(ELEM_F32, &cell, 0.1);
	assert_true(elem_get(ELEM_F32, &cell) == (double)0.1F);
	elem_set_int(ELEM_U64, &cell, -1);
	assert_true(elem_get(ELEM_U64, &cell) == 0x1p64);
}

static void odd_values_find_a_place(void **state) {
	int64_t cell = 7;
	elem_set(ELEM_I32, &cell, NAN);
	assert_int_equal(elem_get_int(ELEM_I32, &cell), 0);
	elem_set(ELEM_I64, &cell, INFINITY);
	assert_true(cell == INT64_MAX);
	elem_set(ELEM_I64, &cell, -INFINITY);
	assert_true(cell == INT64_MIN);
	elem_set(ELEM_U64, &cell, 1e30);
	assert_true((uint64_t)cell == UINT64_MAX);
	elem_set(ELEM_F32, &cell, NAN);
	assert_true(isnan(elem_get(ELEM_F32, &cell)));
}

static void fills(void **state) {
	for (ElemType t = ELEM_F32; t <= ELEM_F16; t++) {
		Array a;
		assert_true(array_new(&a, t, 100, NULL));
		assert_true(array_sum(&a) == 0); /* zeroed */
		elem_fill_value(t, a.data, 100, 3);
		assert_true(array_sum(&a) == 300);
		elem_fill_iota(t, a.data, 100, 1);
		assert_true(array_sum(&a) == 5050);
		assert_int_equal(array_sum_int(&a), 5050);
		elem_fill_sentinel(t, a.data, 100);
		for (size_t i = 0; i < 100 * elem_bytes(t); i++) assert_int_equal(((unsigned char *)a.data)[i], 0xff);
		elem_fill_value(t, a.data, 0, 3); /* nothing to fill is no harm */
		elem_fill_random(t, NULL, 0, 1);
		array_free(&a);
		assert_int_equal(a.count, 0);
	}
}

static void randomness_repeats(void **state) {
	for (ElemType t = ELEM_F32; t <= ELEM_F16; t++) {
		Array a, b;
		assert_true(array_new(&a, t, 1000, NULL) && array_new(&b, t, 1000, NULL));
		elem_fill_random(t, a.data, 1000, 42);
		elem_fill_random(t, b.data, 1000, 42);
		assert_memory_equal(a.data, b.data, 1000 * elem_bytes(t));
		elem_fill_random(t, b.data, 1000, 43);
		assert_memory_not_equal(a.data, b.data, 1000 * elem_bytes(t));
		for (size_t i = 0; i < 1000 && elem_is_float(t); i++) {
			double v = elem_get(t, array_at(&a, i));
			assert_true(v >= 0 && v < 1);
		}
		array_free(&a);
		array_free(&b);
	}
}

static void sizes_that_cannot_be(void **state) {
	Err err = ERR_INIT;
	Array a = {.count = 77};
	assert_false(array_new(&a, ELEM_F64, SIZE_MAX / 4, &err));
	assert_int_equal(err.kind, ERR_SETUP);
	assert_int_equal(a.count, 77);
	assert_true(array_new(&a, ELEM_F64, 0, &err));
	assert_int_equal(a.count, 0);
	array_free(&a);
}

static void cycles(void **state) {
	Err err = ERR_INIT;
	Array a, b = {0}, none = {.type = ELEM_I32};
	assert_true(array_new(&a, ELEM_I64, 5, NULL));
	for (int64_t i = 0; i < 5; i++) memcpy(array_at(&a, (size_t)i), &i, sizeof i);
	assert_true(array_cycle(&a, 12, &b, &err));
	assert_int_equal(b.count, 12);
	for (size_t i = 0; i < 12; i++) assert_memory_equal(array_at(&b, i), array_at(&a, i % 5), 8);
	array_free(&b);
	assert_false(array_cycle(&none, 1, &b, &err));
	assert_int_equal(err.kind, ERR_USAGE);
	array_free(&a);
}

static void transposes(void **state) {
	enum { ROWS = 37, COLS = 70 };
	Err err = ERR_INIT;
	for (ElemType t = ELEM_F32; t <= ELEM_F16; t++) {
		Array a, b = {0};
		assert_true(array_new(&a, t, (size_t)ROWS * COLS, NULL));
		elem_fill_random(t, a.data, a.count, 5);
		assert_true(array_transpose(&a, ROWS, COLS, &b, &err));
		for (size_t r = 0; r < ROWS; r++) {
			for (size_t c = 0; c < COLS; c++) {
				assert_memory_equal(array_at(&b, c * ROWS + r), array_at(&a, r * COLS + c), elem_bytes(t));
			}
		}
		array_free(&b);
		assert_false(array_transpose(&a, ROWS, COLS + 1, &b, &err));
		assert_int_equal(err.kind, ERR_USAGE);
		assert_false(array_transpose(&a, SIZE_MAX, 2, &b, &err));
		assert_null(b.data);
		array_free(&a);
	}
}

static void differences_are_found(void **state) {
	Array want, got;
	assert_true(array_new(&want, ELEM_F32, 5, NULL) && array_new(&got, ELEM_F32, 5, NULL));
	float *w = want.data, *g = got.data;
	const float values[5] = {1, -100, 0, INFINITY, NAN};
	memcpy(w, values, sizeof values);
	memcpy(g, values, sizeof values);
	size_t first[5];
	assert_int_equal(array_mismatch(&got, &want, (Tolerance){0, 0}, first, 5), 1); /* NaN differs from itself */
	assert_int_equal(first[0], 4);
	w[4] = g[4] = 0;
	g[0] = 1.01F;
	g[1] = -100.01F;
	g[3] = -INFINITY;
	assert_int_equal(array_mismatch(&got, &want, (Tolerance){.relative = 0.001}, first, 5), 2);
	assert_int_equal(first[0], 0);
	assert_int_equal(first[1], 3);
	assert_int_equal(array_mismatch(&got, &want, (Tolerance){.absolute = 0.1}, first, 5), 1);
	assert_int_equal(array_mismatch(&got, &want, (Tolerance){0, 0}, first, 1), 3); /* counts more than it stores */
	assert_int_equal(array_mismatch(&got, &want, (Tolerance){0, 0}, NULL, 0), 3);
	g[3] = 1e38F;
	assert_int_equal(array_mismatch(&got, &want, (Tolerance){.relative = 1e30}, first, 5),
					 1); /* finite is not infinite */
	array_free(&want);
	array_free(&got);
}

static void integers_are_compared_exactly(void **state) {
	Array want, got;
	size_t first = 9;
	assert_true(array_new(&want, ELEM_I64, 2, NULL) && array_new(&got, ELEM_I64, 2, NULL));
	((int64_t *)want.data)[1] = INT64_MAX;
	((int64_t *)got.data)[1] = INT64_MAX - 1; /* the same as double */
	assert_int_equal(array_mismatch(&got, &want, (Tolerance){0, 0}, &first, 1), 1);
	assert_int_equal(first, 1);
	array_free(&want);
	array_free(&got);
}

static void sums_stay_exact(void **state) {
	enum { N = 1000000 };
	Array a;
	assert_true(array_new(&a, ELEM_F32, N, NULL));
	elem_fill_value(ELEM_F32, a.data, N, 0.1);
	assert_true(fabs(array_sum(&a) - N * (double)0.1F) < 1e-6);
	array_free(&a);
	assert_true(array_new(&a, ELEM_I32, N, NULL));
	elem_fill_value(ELEM_I32, a.data, N, -3);
	assert_int_equal(array_sum_int(&a), -3 * N);
	array_free(&a);
}

static void numbers_are_sorted(void **state) {
	double n[] = {3, -INFINITY, 0, 3, INFINITY, -2.5, 1e-300};
	const double want[] = {-INFINITY, -2.5, 0, 1e-300, 3, 3, INFINITY};
	sort_numbers(n, sizeof n / sizeof *n);
	for (size_t i = 0; i < sizeof n / sizeof *n; i++) assert_true(n[i] == want[i]);
	sort_numbers(NULL, 0);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_are_sorted),
		cmocka_unit_test(types_have_names_and_sizes),
		cmocka_unit_test(halves_go_both_ways),
		cmocka_unit_test(values_pass_exactly),
		cmocka_unit_test(odd_values_find_a_place),
		cmocka_unit_test(fills),
		cmocka_unit_test(randomness_repeats),
		cmocka_unit_test(sizes_that_cannot_be),
		cmocka_unit_test(cycles),
		cmocka_unit_test(transposes),
		cmocka_unit_test(differences_are_found),
		cmocka_unit_test(integers_are_compared_exactly),
		cmocka_unit_test(sums_stay_exact),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("array", tests, NULL, NULL);
}
