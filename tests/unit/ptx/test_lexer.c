/* Tokens: what is one, where it stands, and what is refused. */
#include "check.h"

#include "ptx/lexer.h"

static Token only(const char *text) {
	Lexer lexer;
	lexer_start(&lexer, text, strlen(text));
	Token first = lexer_next(&lexer);
	Token second = lexer_next(&lexer);
	if (second.kind != TOK_END) fail_msg("'%s' is more than one token", text);
	return first;
}

static void integers(void **state) {
	static const struct {
		const char *text;
		uint64_t value;
	} cases[] = {{"0", 0},
				 {"12", 12},
				 {"0x1F", 31},
				 {"0XfF", 255},
				 {"0b101", 5},
				 {"017", 15},
				 {"12U", 12},
				 {"0xFFU", 255},
				 {"18446744073709551615", UINT64_MAX},
				 {"0xFFFFFFFFFFFFFFFF", UINT64_MAX},
				 {"'a'", 97},
				 {"'\\n'", 10},
				 {"'\\''", 39},
				 {"'\\0'", 0}};
	for (size_t i = 0; i < COUNT(cases); i++) {
		Token t = only(cases[i].text);
		assert_int_equal(t.kind, TOK_INT);
		assert_true(t.bits == cases[i].value);
	}
}

static void floats(void **state) {
	Token t = only("0f3F800000");
	assert_int_equal(t.kind, TOK_FLOAT);
	assert_true(t.is_f32 && t.bits == 0x3F800000);
	t = only("0d3FF8000000000000");
	assert_true(t.kind == TOK_FLOAT && !t.is_f32 && t.bits == 0x3FF8000000000000);
	t = only("0F7FFFFFFF");
	assert_true(t.is_f32 && t.bits == 0x7FFFFFFF);
	static const struct {
		const char *text;
		double value;
	} decimals[] = {{"1.5", 1.5}, {"2e3", 2000}, {"1.25E-1", 0.125}, {"9.0", 9}};
	for (size_t i = 0; i < COUNT(decimals); i++) {
		double value;
		t = only(decimals[i].text);
		assert_int_equal(t.kind, TOK_FLOAT);
		memcpy(&value, &t.bits, sizeof value);
		assert_true(value == decimals[i].value);
	}
}

static void words(void **state) {
	static const struct {
		const char *text, *inside;
		TokenKind kind;
	} cases[] = {{"add", "add", TOK_IDENT},
				 {"%r17", "%r17", TOK_IDENT},
				 {"$L__BB0_2", "$L__BB0_2", TOK_IDENT},
				 {"_", "_", TOK_IDENT},
				 {"_Z3fooILi1EEvPf", "_Z3fooILi1EEvPf", TOK_IDENT},
				 {".s32", "s32", TOK_DOT},
				 {".2d", "2d", TOK_DOT},
				 {".shared::cta", "shared::cta", TOK_DOT},
				 {".mbarrier::complete_tx::bytes", "mbarrier::complete_tx::bytes", TOK_DOT},
				 {"\"a \\\" b\"", "a \\\" b", TOK_STRING}};
	for (size_t i = 0; i < COUNT(cases); i++) {
		Token t = only(cases[i].text);
		assert_int_equal(t.kind, cases[i].kind);
		assert_true(token_is(&t, cases[i].kind, cases[i].inside));
	}
}

static void blanks_and_lines(void **state) {
	const char *text = "# 1 \"x\"\n// one\na /* two\nthree */ .b\r\n\tc:";
	static const struct {
		const char *text;
		uint32_t line;
	} expected[] = {{"a", 3}, {"b", 4}, {"c", 5}, {":", 5}, {"", 5}, {"", 5}};
	Lexer lexer;
	lexer_start(&lexer, text, strlen(text));
	for (size_t i = 0; i < COUNT(expected); i++) {
		Token t = lexer_next(&lexer);
		assert_int_equal(t.line, expected[i].line);
		assert_int_equal(t.len, strlen(expected[i].text));
		assert_memory_equal(t.text, expected[i].text, t.len);
	}
}

static void refused(void **state) {
	static const char *const texts[] = {"0f3F80000",
										"0f3F8000000",
										"0d3FF",
										"0x",
										"0b2",
										"08",
										"12abc",
										"18446744073709551616",
										"1e",
										"\"open",
										"\"a\nb\"",
										"'",
										"'ab'",
										"''",
										".",
										". x",
										"\x01",
										"\xff",
										"`",
										"0x1FFFFFFFFFFFFFFFF",
										"1.0000000000000000000000000000000000000000000000000000000000000000000"};
	for (size_t i = 0; i < COUNT(texts); i++) {
		Lexer lexer;
		lexer_start(&lexer, texts[i], strlen(texts[i]));
		Token t = lexer_next(&lexer);
		if (t.kind != TOK_BAD) fail_msg("accepted: %s", texts[i]);
		assert_non_null(t.problem);
	}
}

static void ends_without_a_terminator(void **state) {
	static const char text[] = {'a', ' ', '.', 'b'};
	Lexer lexer;
	lexer_start(&lexer, text, sizeof text);
	assert_int_equal(lexer_next(&lexer).kind, TOK_IDENT);
	assert_int_equal(lexer_next(&lexer).kind, TOK_DOT);
	assert_int_equal(lexer_next(&lexer).kind, TOK_END);
	assert_int_equal(lexer_next(&lexer).kind, TOK_END);
	lexer_start(&lexer, "", 0);
	assert_int_equal(lexer_next(&lexer).kind, TOK_END);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(integers),         cmocka_unit_test(floats),  cmocka_unit_test(words),
		cmocka_unit_test(blanks_and_lines), cmocka_unit_test(refused), cmocka_unit_test(ends_without_a_terminator),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
