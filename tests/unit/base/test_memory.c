/* Arenas, growable arrays, and what happens when memory ends. */
#include "check.h"

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/vec.h"

static void arena_memory_is_zeroed_aligned_and_apart(void **state) {
	Arena *arena = arena_new();
	unsigned char *blocks[2000];
	for (size_t i = 0; i < 2000; i++) {
		size_t n = i % 97 + 1;
		blocks[i] = arena_alloc(arena, n);
		assert_int_equal((uintptr_t)blocks[i] % alignof(max_align_t), 0);
		for (size_t b = 0; b < n; b++) assert_int_equal(blocks[i][b], 0);
		memset(blocks[i], (int)(i & 255), n);
	}
	for (size_t i = 0; i < 2000; i++) {
		for (size_t b = 0; b < i % 97 + 1; b++) assert_int_equal(blocks[i][b], i & 255);
	}
	arena_free(arena);
	arena_free(NULL);
}

static void arena_takes_any_size(void **state) {
	Arena *arena = arena_new();
	assert_non_null(arena_alloc(arena, 0));
	char *large = arena_alloc(arena, 10 << 20);
	large[0] = large[(10 << 20) - 1] = 1;
	int *numbers = arena_array(arena, 1000, sizeof *numbers);
	numbers[999] = 7;
	assert_int_equal(numbers[0], 0);
	arena_free(arena);
}

static void arena_copies_text(void **state) {
	Arena *arena = arena_new();
	char text[] = "kernel";
	char *whole = arena_strdup(arena, text), *part = arena_strndup(arena, text, 3),
		 *none = arena_strndup(arena, NULL, 0);
	text[0] = 'X';
	assert_string_equal(whole, "kernel");
	assert_string_equal(part, "ker");
	assert_string_equal(none, "");
	arena_free(arena);
}

/* Kept where the sanitizer sees it: memory that is lost because the process ends here is no leak. */
static Arena *volatile kept;

static void overflow_array(void) {
	arena_array(kept = arena_new(), SIZE_MAX / 2, 4);
}

static void overflow_alloc(void) {
	arena_alloc(kept = arena_new(), SIZE_MAX - 20);
}

static void overflow_text(void) {
	arena_strndup(kept = arena_new(), "", SIZE_MAX);
}

static void overflow_vec(void) {
	VEC(double) v = {0};
	vec_reserve(&v, SIZE_MAX / 4);
}

static void overflow_aligned(void) {
	free(xaligned(SIZE_MAX, 64));
}

static void elsewhere(void) {
	exit_out_of_memory(1 << 20);
}

static void exhaustion_ends_the_process_with_a_message(void **state) {
	assert_int_equal(exit_status_of(overflow_array), 5);
	assert_int_equal(exit_status_of(overflow_alloc), 5);
	assert_int_equal(exit_status_of(overflow_text), 5);
	assert_int_equal(exit_status_of(overflow_vec), 5);
	assert_int_equal(exit_status_of(overflow_aligned), 5);
	assert_int_equal(exit_status_of(elsewhere), 5);
}

static void zero_sizes_are_allowed(void **state) {
	void *a = xmalloc(0), *b = xcalloc(0, 8), *c = xcalloc(8, 0), *d = xrealloc(NULL, 0);
	assert_true(a && b && c && d);
	free(a);
	free(b);
	free(c);
	free(d);
}

static void vec_grows_and_keeps(void **state) {
	VEC(int) v = {0};
	for (int i = 0; i < 10000; i++) vec_push(&v, i);
	assert_int_equal(v.len, 10000);
	assert_true(v.cap >= v.len);
	for (int i = 0; i < 10000; i++) assert_int_equal(v.data[i], i);
	assert_int_equal(vec_last(&v), 9999);
	vec_free(&v);
	assert_null(v.data);
	assert_int_equal(v.len + v.cap, 0);
	vec_push(&v, 3); /* and begins again */
	assert_int_equal(v.data[0], 3);
	vec_free(&v);
}

static void vec_takes_structures(void **state) {
	typedef struct {
		int x, y;
	} Point;
	VEC(Point) v = {0};
	vec_push(&v, (Point){1, 2});
	vec_push(&v, (Point){.y = 4});
	assert_int_equal(v.data[0].y, 2);
	assert_int_equal(v.data[1].x, 0);
	vec_reserve(&v, 100);
	assert_true(v.cap >= 100);
	assert_int_equal(v.data[1].y, 4);
	vec_free(&v);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(arena_memory_is_zeroed_aligned_and_apart),
		cmocka_unit_test(arena_takes_any_size),
		cmocka_unit_test(arena_copies_text),
		cmocka_unit_test(exhaustion_ends_the_process_with_a_message),
		cmocka_unit_test(zero_sizes_are_allowed),
		cmocka_unit_test(vec_grows_and_keeps),
		cmocka_unit_test(vec_takes_structures),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("memory", tests, NULL, NULL);
}
