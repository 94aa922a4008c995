/* Clocks against a plain table. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "emu/check/clock.h"

enum { KEYS = 512, TABLES = 6, STEPS = 20000 };

static uint64_t key_of(unsigned i) {
	return i % 3 == 0 ? i : i % 3 == 1 ? (uint64_t)i << 11 | 1024 : UINT64_MAX - i;
}

static uint32_t state = 1;
static uint32_t chance(uint32_t below) {
	state = state * 1664525 + 1013904223;
	return (uint32_t)((uint64_t)state * below >> 32);
}

static void compare(const Clock *c, const uint32_t *want) {
	for (unsigned i = 0; i < KEYS; i++) assert_int_equal(clock_get(c, key_of(i)), want[i]);
}

static void empty(void **unused) {
	(void)unused;
	assert_int_equal(clock_get(NULL, 7), 0);
	assert_null(clock_join(NULL, NULL));
	assert_null(clock_set(NULL, 7, 0));
	clock_drop(NULL);
}

static void the_later_time_wins(void **unused) {
	(void)unused;
	Clock *c = clock_set(clock_set(NULL, 5, 9), 5, 3);
	assert_int_equal(clock_get(c, 5), 9);
	c = clock_set(c, 5, 11);
	assert_int_equal(clock_get(c, 5), 11);
	assert_int_equal(clock_get(c, 4), 0);
	clock_drop(c);
}

/* Nothing is made where one clock knows all that the other does, nor where nobody else refers to what changes. */
static void joining_shares(void **unused) {
	(void)unused;
	Clock *old = clock_set(clock_set(clock_set(NULL, 1, 1), 2, 2), 12, 3);
	Clock *now = clock_set(clock_set(clock_keep(old), 1, 9), 2, 8);
	const size_t bytes = clock_bytes();
	assert_ptr_equal(clock_join(clock_keep(old), clock_keep(now)), now);
	assert_ptr_equal(clock_join(clock_keep(now), clock_keep(old)), now);
	clock_drop(now);
	clock_drop(now);
	clock_drop(old);
	assert_true(clock_bytes() < bytes);
	const size_t alone = clock_bytes();
	Clock *later = clock_set(now, 12, 7);
	assert_ptr_equal(later, now);
	assert_int_equal(clock_bytes(), alone);
	clock_drop(later);
}

static void a_kept_clock_never_changes(void **unused) {
	(void)unused;
	Clock *old = clock_set(clock_set(NULL, 1, 1), 2, 2);
	Clock *now = clock_set(clock_set(clock_keep(old), 1, 9), 3, 3);
	assert_int_equal(clock_get(old, 1), 1);
	assert_int_equal(clock_get(old, 3), 0);
	assert_int_equal(clock_get(now, 1), 9);
	assert_int_equal(clock_get(now, 2), 2);
	clock_drop(old);
	assert_int_equal(clock_get(now, 2), 2);
	clock_drop(now);
}

static void joining_with_itself_is_itself(void **unused) {
	(void)unused;
	Clock *c = clock_set(clock_set(NULL, 8, 1), 9, 2);
	Clock *same = clock_join(clock_keep(c), clock_keep(c));
	assert_ptr_equal(same, c);
	clock_drop(same);
	clock_drop(c);
}

static void *made_elsewhere(void *clock) {
	*(Clock **)clock = clock_set(NULL, 7, 1);
	return NULL;
}

/* A fork of the checker runs on a thread of its own, and is joined on another one. */
static void dropped_on_another_thread(void **unused) {
	pthread_t thread;
	Clock *clock = NULL;
	assert_int_equal(pthread_create(&thread, NULL, made_elsewhere, &clock), 0);
	assert_int_equal(pthread_join(thread, NULL), 0);
	clock_drop(clock);
	assert_int_equal(clock_bytes(), 0);
}

static void as_a_table_does(void **unused) {
	(void)unused;
	static uint32_t table[TABLES][KEYS];
	Clock *clocks[TABLES] = {0};
	for (unsigned step = 0; step < STEPS; step++) {
		const unsigned a = chance(TABLES), b = chance(TABLES), k = chance(KEYS);
		switch (chance(8)) {
		case 0:
			clocks[a] = clock_join(clocks[a], clock_keep(clocks[b]));
			for (unsigned i = 0; i < KEYS; i++)
				if (table[b][i] > table[a][i]) table[a][i] = table[b][i];
			break;
		case 1:
			if (chance(20)) break;
			clock_drop(clocks[a]);
			clocks[a] = NULL;
			memset(table[a], 0, sizeof table[a]);
			break;
		default:
			clocks[a] = clock_set(clocks[a], key_of(k), step + 1);
			table[a][k] = step + 1;
			break;
		}
		if (step % 100 == 0) compare(clocks[a], table[a]);
	}
	for (unsigned i = 0; i < TABLES; i++) {
		compare(clocks[i], table[i]);
		clock_drop(clocks[i]);
	}
}

int main(void) {
	const struct CMUnitTest tests[] = {cmocka_unit_test(empty),
									   cmocka_unit_test(the_later_time_wins),
									   cmocka_unit_test(joining_shares),
									   cmocka_unit_test(a_kept_clock_never_changes),
									   cmocka_unit_test(joining_with_itself_is_itself),
									   cmocka_unit_test(dropped_on_another_thread),
									   cmocka_unit_test(as_a_table_does)};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
