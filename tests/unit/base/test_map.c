/* Maps from strings, and guesses at mistyped words. */
#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/text/nearest.h"

static void finds_what_was_put(void **state) {
	Map *map = map_new();
	int a = 1, b = 2;
	assert_null(map_get(map, "a"));
	assert_false(map_has(map, "a"));
	map_put(map, "a", &a);
	assert_ptr_equal(map_get(map, "a"), &a);
	map_put(map, "a", &b);
	assert_ptr_equal(map_get(map, "a"), &b);
	assert_int_equal(map_number_of(map, "b", 1), 2);
	map_put(map, "", &a);
	assert_ptr_equal(map_get(map, ""), &a);
	map_free(map);
	map_free(NULL);
}

static void keys_are_copied_and_may_be_parts(void **state) {
	Map *map = map_new();
	char key[] = "threads";
	map_put(map, key, key);
	key[0] = 'X';
	assert_ptr_equal(map_get(map, "threads"), key);
	assert_ptr_equal(map_getn(map, "threads per block", 7), key);
	assert_null(map_getn(map, "threads per block", 8));
	assert_null(map_getn(map, "", 0));
	map_free(map);
}

static void null_is_a_value(void **state) {
	Map *map = map_new();
	map_put(map, "nothing", NULL);
	assert_true(map_has(map, "nothing"));
	assert_null(map_get(map, "nothing"));
	map_free(map);
}

static void many_keys(void **state) {
	enum { N = 20000 };
	static int values[N];
	Map *map = map_new();
	char key[32];
	for (int i = 0; i < N; i++) {
		snprintf(key, sizeof key, "%d", i * 7919);
		map_put(map, key, &values[i]);
	}
	assert_int_equal(map_number_of(map, "new", 3), N + 1);
	for (int i = 0; i < N; i++) {
		snprintf(key, sizeof key, "%d", i * 7919);
		assert_ptr_equal(map_get(map, key), &values[i]);
	}
	assert_null(map_get(map, "no such key"));
	map_free(map);
}

static void long_and_binary_keys(void **state) {
	Map *map = map_new();
	char *key = malloc(100001);
	memset(key, 0xfe, 100000);
	key[100000] = '\0';
	map_put(map, key, key);
	assert_ptr_equal(map_get(map, key), key);
	assert_null(map_getn(map, key, 99999));
	map_free(map);
	free(key);
}

static void numbers_to_numbers(void **state) {
	enum { N = 5000 };
	NumberMap map = {0};
	assert_int_equal(number_map_get(&map, 0), 0);
	for (uint64_t i = 0; i < N; i++) *number_map_at(&map, i << 32) += i + 1;
	*number_map_at(&map, UINT64_MAX) = UINT64_MAX;
	*number_map_at(&map, 0) += 6; /* there already */
	assert_int_equal(map.count, N + 1);
	for (uint64_t i = 1; i < N; i++) assert_int_equal(number_map_get(&map, i << 32), i + 1);
	assert_true(number_map_get(&map, UINT64_MAX) == UINT64_MAX && number_map_get(&map, 0) == 7);
	assert_int_equal(number_map_get(&map, 1), 0);
	size_t seen = 0;
	for (size_t i = 0; i < map.size; i++) seen += map.slots[i].value != 0;
	assert_int_equal(seen, N + 1);
	NumberMap other = {0};
	*number_map_at(&other, 3 << 20) = 9;
	number_map_reserve(&other, map.count); /* keys slot by slot: without room for them this takes long */
	assert_true(other.size >= map.size && other.count == 1 && number_map_get(&other, 3 << 20) == 9);
	for (size_t i = 0; i < map.size; i++)
		if (map.slots[i].value) *number_map_at(&other, map.slots[i].key) = map.slots[i].value;
	assert_true(other.count == map.count + 1 && number_map_get(&other, UINT64_C(5) << 32) == 6);
	number_map_free(&other);
	number_map_free(&map);
	assert_int_equal(number_map_get(&map, 1u << 31), 0);
}

static void keys_have_numbers(void **state) {
	const char *text = "one two one";
	Map *map = map_new_borrowing();
	assert_int_equal(map_number(map, text, 3), 0);
	assert_int_equal(map_number_of(map, text, 3), 1);
	assert_int_equal(map_number_of(map, text + 4, 3), 2);
	assert_int_equal(map_number_of(map, text + 8, 3), 1);
	assert_int_equal(map_number(map, "two", 3), 2);
	assert_true(map_has(map, "two") && !map_get(map, "two"));
	map_free(map);
}

static void guesses_words(void **state) {
	const char *const words[] = {"run", "why", "check", "watch", NULL}, *const none[] = {NULL};
	assert_string_equal(nearest("chekc", words), "check");
	assert_string_equal(nearest("rum", words), "run");
	assert_string_equal(nearest("CHECK", words), "check");
	assert_string_equal(nearest("wach", words), "watch");
	assert_string_equal(nearest("ru", words), "run"); /* as of three and four letters: one edit */
	assert_null(nearest("r", words));
	assert_null(nearest("benchmark", words));
	assert_null(nearest("", words));
	assert_null(nearest("run", none));
	char *huge = calloc(100001, 1);
	memset(huge, 'r', 100000);
	assert_null(nearest(huge, words));
	free(huge);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_what_was_put),   cmocka_unit_test(keys_are_copied_and_may_be_parts),
		cmocka_unit_test(null_is_a_value),      cmocka_unit_test(many_keys),
		cmocka_unit_test(long_and_binary_keys), cmocka_unit_test(guesses_words),
		cmocka_unit_test(numbers_to_numbers),   cmocka_unit_test(keys_have_numbers),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("map", tests, NULL, NULL);
}
