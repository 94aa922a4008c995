/* Numbers in order (base/ordered.h) against a plain array, and many of them. */
#include "check.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/ordered.h"

enum { KEYS = 3000, MANY = 400000 };

static uint64_t next_random(uint64_t *state) {
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/* The nearest key that is there in this direction, or KEYS. */
static size_t nearest(const uint64_t *values, size_t key, int step) {
	while (key < KEYS && !values[key]) key += (size_t)step;
	return key < KEYS ? key : KEYS;
}

static void agrees(const OrderedMap *o, const uint64_t *values, size_t key) {
	const OrderedEntry *below = ordered_floor(o, key), *above = ordered_ceiling(o, key);
	const size_t floor = nearest(values, key, -1), ceiling = nearest(values, key, 1);
	assert_int_equal(below ? below->key : KEYS, floor);
	assert_int_equal(above ? above->key : KEYS, ceiling);
	if (below) assert_int_equal(below->value, values[floor]);
	if (above) assert_int_equal(above->value, values[ceiling]);
}

static void random_changes(void **state) {
	for (uint64_t seed = 1; seed <= 4; seed++) {
		static uint64_t values[KEYS];
		uint64_t random = seed * 88172645463325252u;
		size_t count = 0;
		OrderedMap o = {0};
		memset(values, 0, sizeof values);
		for (int step = 0; step < 40000; step++) {
			const size_t key = next_random(&random) % KEYS;
			const bool fills = step / 8000 % 2 == 0; /* it grows, shrinks, and grows again */
			if (next_random(&random) % 4 == (fills ? 0 : 1)) {
				assert_int_equal(ordered_remove(&o, key), values[key] != 0);
				count -= values[key] != 0;
				values[key] = 0;
			} else if (fills) {
				uint64_t *value = ordered_at(&o, key);
				assert_int_equal(*value, values[key]);
				count += values[key] == 0;
				*value = values[key] = 1 + next_random(&random) % 1000;
			}
			assert_int_equal(o.count, count);
			agrees(&o, values, next_random(&random) % KEYS);
		}
		size_t key = nearest(values, 0, 1);
		for (const OrderedEntry *e = ordered_first(&o); e; e = ordered_next(&o, e), key = nearest(values, key + 1, 1))
			assert_int_equal(e->key, key);
		assert_int_equal(key, KEYS);
		ordered_free(&o);
		assert_null(ordered_first(&o));
	}
}

static void ends_of_it(void **state) {
	OrderedMap o = {0};
	assert_null(ordered_floor(&o, UINT64_MAX));
	assert_null(ordered_ceiling(&o, 0));
	assert_false(ordered_remove(&o, 0));
	*ordered_at(&o, UINT64_MAX) = 1;
	*ordered_at(&o, 0) = 2;
	assert_int_equal(ordered_first(&o)->value, 2);
	assert_int_equal(ordered_next(&o, ordered_first(&o))->key, UINT64_MAX);
	assert_null(ordered_next(&o, ordered_floor(&o, UINT64_MAX)));
	ordered_free(&o);
}

/* In every order, in processor time that a list which moves all of its keys would not have. */
static void many_keys(void **state) {
	struct rusage used;
	getrusage(RUSAGE_SELF, &used);
	struct rlimit limit = {(rlim_t)used.ru_utime.tv_sec + 60, RLIM_INFINITY};
	assert_int_equal(setrlimit(RLIMIT_CPU, &limit), 0);
	for (int order = 0; order < 3; order++) {
		OrderedMap o = {0};
		for (uint64_t i = 0; i < MANY; i++) {
			const uint64_t keys[] = {i, MANY - i, i * UINT64_C(0x9E3779B97F4A7C15)};
			*ordered_at(&o, keys[order]) = i + 1;
		}
		assert_int_equal(o.count, MANY);
		while (ordered_first(&o)) assert_true(ordered_remove(&o, ordered_first(&o)->key));
		assert_int_equal(o.parts.len, 0);
		ordered_free(&o);
	}
}

int main(void) {
	const struct CMUnitTest tests[] = {cmocka_unit_test(random_changes), cmocka_unit_test(ends_of_it),
									   cmocka_unit_test(many_keys)};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
