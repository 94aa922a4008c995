/* Records: a field of every kind crosses unchanged, and no bytes, however wrong, do harm. */
#include "fake.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"

enum { MOST_POINTS = 100 }; /* of Everything */

static const Point points[MOST_POINTS + 1] = {{1, -2}, {3, 4}, {INT32_MAX, INT32_MIN}};
static const uint8_t bytes[] = {0, 255, 7, 0, 9};

static Everything everything(void) {
	return (Everything){.number = UINT64_MAX - 1,
						.reals = {1.5, -0.0, 1e300},
						.flag = true,
						.color = COLOR_BLUE,
						.chars = "fifteen letters",
						.text = "some text",
						.bytes = bytes,
						.nbytes = sizeof bytes,
						.inner = {-7, 8},
						.points = points,
						.npoints = 3,
						.other = 65535};
}

static Str written(const Everything *value) {
	Str s = {0};
	record_put(&s, &Everything_record, value);
	return s;
}

/* True: the bytes are an Everything and nothing more. *out is valid as long as the arena. */
static bool read_back(const void *data, size_t len, Arena *arena, Everything *out) {
	const Frame frame = {.data = (uint8_t *)data, .len = len};
	Reader r = reader_of(&frame, arena);
	record_get(&r, &Everything_record, out);
	return reader_done(&r);
}

/* Whether this value arrives; for those that the rules forbid. */
static bool arrives(const Everything *value) {
	Everything got;
	Str s = written(value);
	Arena *arena = arena_new();
	const bool ok = read_back(s.text, s.len, arena, &got);
	arena_free(arena);
	str_free(&s);
	return ok;
}

static void everything_arrives(void **state) {
	const Everything sent = everything();
	Everything got;
	Str s = written(&sent);
	Arena *arena = arena_new();
	assert_true(read_back(s.text, s.len, arena, &got));
	assert_int_equal(got.number, sent.number);
	assert_memory_equal(got.reals, sent.reals, sizeof sent.reals);
	assert_true(got.flag);
	assert_int_equal(got.color, COLOR_BLUE);
	assert_string_equal(got.chars, sent.chars);
	assert_string_equal(got.text, sent.text);
	assert_int_equal(got.nbytes, sizeof bytes);
	assert_memory_equal(got.bytes, bytes, sizeof bytes);
	assert_int_equal(got.inner.x, -7);
	assert_int_equal(got.inner.y, 8);
	assert_int_equal(got.npoints, 3);
	assert_memory_equal(got.points, points, 3 * sizeof *points);
	assert_int_equal(got.other, 65535);
	arena_free(arena);
	str_free(&s);
}

static void nothing_stays_nothing(void **state) {
	const Everything sent = {.text = NULL};
	Everything got = everything();
	Str s = written(&sent);
	Arena *arena = arena_new();
	assert_true(read_back(s.text, s.len, arena, &got));
	assert_null(got.text);
	assert_null(got.bytes);
	assert_int_equal(got.nbytes, 0);
	assert_null(got.points);
	assert_int_equal(got.npoints, 0);
	assert_string_equal(got.chars, "");
	assert_false(got.flag);
	arena_free(arena);
	str_free(&s);
}

static void an_empty_text_is_not_null(void **state) {
	Everything sent = everything(), got;
	sent.text = "";
	Str s = written(&sent);
	Arena *arena = arena_new();
	assert_true(read_back(s.text, s.len, arena, &got));
	assert_non_null(got.text);
	assert_string_equal(got.text, "");
	arena_free(arena);
	str_free(&s);
}

/* Where they are in the frame depends on the text before them. */
static void bytes_and_lists_are_aligned(void **state) {
	static const char *const texts[] = {"", "1", "12", "123", "1234", "12345", "123456", "1234567"};
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		Everything sent = everything(), got;
		sent.text = texts[i];
		Str s = written(&sent);
		Arena *arena = arena_new();
		assert_true(read_back(s.text, s.len, arena, &got));
		assert_int_equal((uintptr_t)got.bytes % _Alignof(max_align_t), 0);
		assert_int_equal((uintptr_t)got.points % _Alignof(max_align_t), 0);
		assert_memory_equal(got.bytes, bytes, sizeof bytes);
		arena_free(arena);
		str_free(&s);
	}
}

static void lists_end_at_their_limit(void **state) {
	Everything sent = everything(), got;
	sent.points = points;
	sent.npoints = MOST_POINTS;
	Str s = written(&sent);
	Arena *arena = arena_new();
	assert_true(read_back(s.text, s.len, arena, &got));
	assert_int_equal(got.npoints, MOST_POINTS);
	assert_memory_equal(got.points, points, MOST_POINTS * sizeof *points);
	arena_free(arena);
	str_free(&s);
	sent.npoints = MOST_POINTS + 1;
	assert_false(arrives(&sent));
}

static void values_out_of_range_are_refused(void **state) {
	Everything sent = everything();
	assert_true(arrives(&sent));
	sent.color = (Color)(COLOR_BLUE + 1);
	assert_false(arrives(&sent));
	sent = everything();
	memset(&sent.flag, 2, sizeof sent.flag); /* as its byte, since no bool is 2 */
	assert_false(arrives(&sent));
}

static void the_last_check_decides(void **state) {
	Everything sent = everything();
	sent.number = 13; /* everything_valid refuses it */
	assert_false(arrives(&sent));
	sent.number = 14;
	assert_true(arrives(&sent));
}

static void every_truncation_is_refused(void **state) {
	const Everything sent = everything();
	Str s = written(&sent);
	for (size_t n = 0; n < s.len; n++) {
		Everything got;
		Arena *arena = arena_new();
		/* A copy of its own size: reading past it is caught where an address sanitizer looks. */
		char *part = malloc(n ? n : 1);
		assert_non_null(part);
		memcpy(part, s.text, n);
		assert_false(read_back(part, n, arena, &got));
		free(part);
		arena_free(arena);
	}
	str_free(&s);
}

static void what_is_left_over_is_refused(void **state) {
	const Everything sent = everything();
	Everything got;
	Str s = written(&sent);
	Arena *arena = arena_new();
	put_raw(&s, "", 1);
	assert_false(read_back(s.text, s.len, arena, &got));
	arena_free(arena);
	str_free(&s);
}

/* What was read obeys the rules, also when it is not what was sent. */
static void check_rules(const Everything *e, const char *data, size_t len) {
	assert_true(e->color <= COLOR_BLUE && e->npoints <= MOST_POINTS && e->number != 13);
	assert_non_null(memchr(e->chars, '\0', sizeof e->chars));
	if (e->text) assert_true(e->text >= data && e->text + strlen(e->text) < data + len);
	assert_true(e->nbytes <= len);
	uint32_t sum = 0;
	for (size_t i = 0; i < e->nbytes; i++) sum += e->bytes[i];
	for (uint32_t i = 0; i < e->npoints; i++) sum += (uint32_t)e->points[i].x;
	(void)sum;
}

/* Each byte takes values that lengths, counts and flags are most likely to trip over. */
static void changed_bytes_do_no_harm(void **state) {
	static const uint8_t values[] = {0, 1, 2, 3, 13, 0x7f, 0x80, 0xff};
	const Everything sent = everything();
	Str s = written(&sent);
	size_t refused = 0;
	for (size_t at = 0; at < s.len; at++)
		for (size_t v = 0; v < sizeof values; v++) {
			Everything got;
			Arena *arena = arena_new();
			char *changed = malloc(s.len);
			assert_non_null(changed);
			memcpy(changed, s.text, s.len);
			changed[at] = (char)values[v];
			if (read_back(changed, s.len, arena, &got))
				check_rules(&got, changed, s.len);
			else
				refused++;
			free(changed);
			arena_free(arena);
		}
	assert_true(refused > 0);
	str_free(&s);
}

static void text_with_a_wrong_end_is_refused(void **state) {
	static const struct {
		const char *bytes;
		size_t len;
	} cases[] = {{"\3\0\0\0abc", 7}, {"\3\0\0\0abcd", 8}, {"\3\0\0\0a\0c\0", 8}, {"\376\377\377\377abc\0", 8}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const Frame frame = {.data = (uint8_t *)cases[i].bytes, .len = cases[i].len};
		Reader r = reader_of(&frame, NULL);
		assert_null(get_text(&r));
		assert_true(r.bad);
	}
	const Frame right = {.data = (uint8_t *)"\3\0\0\0abc", .len = 8};
	Reader r = reader_of(&right, NULL);
	assert_string_equal(get_text(&r), "abc");
	assert_true(reader_done(&r));
}

static void chars_that_do_not_fit_are_refused(void **state) {
	typedef struct {
		char longer[17];
	} Longer;
	typedef struct {
		char chars[16];
	} Shorter;
	static const RecordField longer_fields[] = {FIELD(Longer, longer)}, shorter_fields[] = {FIELD(Shorter, chars)};
	const Record longer = {"Longer", sizeof(Longer), longer_fields, 1, NULL},
				 shorter = {"Shorter", sizeof(Shorter), shorter_fields, 1, NULL};
	const Longer fits = {"123456789012345"}, too_long = {"1234567890123456"};
	Shorter got;
	Str s = {0};
	record_put(&s, &longer, &fits);
	Frame frame = {.data = (uint8_t *)s.text, .len = s.len};
	Reader r = reader_of(&frame, NULL);
	record_get(&r, &shorter, &got);
	assert_true(reader_done(&r));
	assert_string_equal(got.chars, fits.longer);
	str_clear(&s);
	record_put(&s, &longer, &too_long);
	frame = (Frame){.data = (uint8_t *)s.text, .len = s.len};
	r = reader_of(&frame, NULL);
	record_get(&r, &shorter, &got);
	assert_true(r.bad);
	assert_string_equal(got.chars, "");
	str_free(&s);
}

static void required_text_is_there(void **state) {
	typedef struct {
		const char *text;
	} Named;
	static const RecordField fields[] = {FIELD_REQUIRED(Named, text)};
	const Record record = {"Named", sizeof(Named), fields, 1, NULL};
	for (int i = 0; i < 2; i++) {
		const Named sent = {i ? "" : NULL};
		Named got;
		Str s = {0};
		record_put(&s, &record, &sent);
		const Frame frame = {.data = (uint8_t *)s.text, .len = s.len};
		Reader r = reader_of(&frame, NULL);
		record_get(&r, &record, &got);
		assert_int_equal(reader_done(&r), i);
		str_free(&s);
	}
}

static void bad_stays_bad(void **state) {
	const Frame frame = {.data = (uint8_t *)"12345678", .len = 8};
	Reader r = reader_of(&frame, NULL);
	uint8_t many[9] = {1, 1, 1, 1, 1, 1, 1, 1, 1}, one = 1;
	assert_false(get_raw(&r, many, sizeof many));
	assert_int_equal(many[0], 0);
	assert_false(get_raw(&r, &one, 1)); /* although a byte is there */
	assert_int_equal(one, 0);
	assert_false(reader_done(&r));
}

static void errors_cross(void **state) {
	const Err sent = {.kind = ERR_WRONG, .what = "what", .where = "where:1", .hint = "hint"};
	Err got = ERR_INIT;
	Str s = {0};
	record_put(&s, &Err_record, &sent);
	const Frame frame = {.data = (uint8_t *)s.text, .len = s.len};
	Reader r = reader_of(&frame, NULL);
	record_get(&r, &Err_record, &got);
	assert_true(reader_done(&r));
	assert_int_equal(got.kind, ERR_WRONG);
	assert_string_equal(got.what, "what");
	assert_string_equal(got.where, "where:1");
	assert_string_equal(got.hint, "hint");
	str_free(&s);
}

static void an_empty_payload_is_no_record(void **state) {
	const Frame empty = {0};
	Everything got = everything();
	Reader r = reader_of(&empty, NULL);
	record_get(&r, NULL, NULL); /* a call without a request */
	assert_true(reader_done(&r));
	assert_false(read_back(NULL, 0, NULL, &got));
	assert_null(got.text);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(everything_arrives),
		cmocka_unit_test(nothing_stays_nothing),
		cmocka_unit_test(an_empty_text_is_not_null),
		cmocka_unit_test(bytes_and_lists_are_aligned),
		cmocka_unit_test(lists_end_at_their_limit),
		cmocka_unit_test(values_out_of_range_are_refused),
		cmocka_unit_test(the_last_check_decides),
		cmocka_unit_test(every_truncation_is_refused),
		cmocka_unit_test(what_is_left_over_is_refused),
		cmocka_unit_test(changed_bytes_do_no_harm),
		cmocka_unit_test(text_with_a_wrong_end_is_refused),
		cmocka_unit_test(required_text_is_there),
		cmocka_unit_test(chars_that_do_not_fit_are_refused),
		cmocka_unit_test(bad_stays_bad),
		cmocka_unit_test(errors_cross),
		cmocka_unit_test(an_empty_payload_is_no_record),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("record", tests, NULL, NULL);
}
