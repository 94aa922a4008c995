/* NVRTC's log read back, and messages as they are shown. */
#include "folder.h"

#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "compile/diagnostics.h"

static Diagnostics parsed(const char *log) {
	Diagnostics diags = {0};
	diagnostics_parse(log, &diags);
	return diags;
}

static void expect(const Diagnostic *d, DiagKind kind, const char *file, uint32_t line, uint32_t column,
				   const char *message) {
	assert_int_equal(d->kind, kind);
	assert_string_equal(d->file, file);
	assert_int_equal(d->line, line);
	assert_int_equal(d->column, column);
	assert_string_equal(d->message, message);
}

static void reads_errors_and_warnings(void **state) {
	Diagnostics d =
		parsed("/a b/t(1).cu(31): error: expected a \";\"\n  \tfloat x = 3\n  \t           ^\n\n"
			   "t.cu(4): warning #177-D: variable \"u\" was declared but never referenced\n  int u;\n      ^\n\n"
			   "Remark: The warnings can be suppressed with \"-diag-suppress <warning-number>\"\n\n"
			   "1 error detected in the compilation of \"/a b/t(1).cu\".\n");
	assert_int_equal(d.len, 2);
	expect(&d.data[0], DIAG_ERROR, "/a b/t(1).cu", 31, 13, "expected a \";\"");
	assert_string_equal(d.data[0].source_line, "\tfloat x = 3");
	expect(&d.data[1], DIAG_WARNING, "t.cu", 4, 5, "variable \"u\" was declared but never referenced");
	assert_string_equal(d.data[1].source_line, "int u;");
	diagnostics_free(&d);
	assert_int_equal(d.len, 0);
}

static void reads_explanations(void **state) {
	Diagnostics d = parsed(
		"l.cu(1): error: name followed by \"::\" must be a class\n  T::foo z;\n     ^\n"
		"          detected during instantiation of \"void kt(T *) [with T=float]\" at line 9\n\n"
		"l.cu(2): catastrophic error: could not open source file \"x.h\"\n  #include <x.h>\n                ^\n\n"
		"Compilation terminated.\n");
	assert_int_equal(d.len, 2);
	expect(&d.data[0], DIAG_ERROR, "l.cu", 1, 4,
		   "name followed by \"::\" must be a class\ndetected during instantiation of \"void kt(T *) [with T=float]\" "
		   "at line 9");
	expect(&d.data[1], DIAG_ERROR, "l.cu", 2, 15, "could not open source file \"x.h\"");
	diagnostics_free(&d);
}

static void reads_the_tools(void **state) {
	Diagnostics d =
		parsed("ptxas error   : Entry function '_Z3bigPf' uses too much shared data (0x13880 bytes, 0xc000 max)\n"
			   "ptxas application ptx input, line 26; error   : Not a name of any known instruction: 'bogus'\n"
			   "ptxas fatal   : Ptx assembly aborted due to errors\nnvrtc: error: unrecognized option --bogus found\n");
	assert_int_equal(d.len, 3);
	expect(&d.data[0], DIAG_ERROR, "", 0, 0,
		   "Entry function \"big\" uses too much shared data (80000 bytes, 49152 max)");
	expect(&d.data[1], DIAG_ERROR, "", 0, 0, "Not a name of any known instruction: \"bogus\"");
	expect(&d.data[2], DIAG_ERROR, "", 0, 0, "unrecognized option --bogus found");
	diagnostics_free(&d);
	d = parsed("ptxas fatal   : Memory allocation failure\n");
	assert_int_equal(d.len, 1);
	expect(&d.data[0], DIAG_ERROR, "", 0, 0, "Memory allocation failure");
	diagnostics_free(&d);
}

static void loses_nothing(void **state) {
	Diagnostics d = parsed("something NVRTC never said before\nx(: error\n(3): error: no file\n");
	assert_int_equal(d.len, 3);
	expect(&d.data[0], DIAG_NOTE, "", 0, 0, "something NVRTC never said before");
	expect(&d.data[1], DIAG_NOTE, "", 0, 0, "x(: error");
	expect(&d.data[2], DIAG_ERROR, "", 3, 0, "no file");
	diagnostics_free(&d);
	d = parsed("");
	assert_int_equal(d.len, 0);
	diagnostics_free(&d);
}

static void survives_every_cut(void **state) {
	const char *log = "/a/t.cu(31): error: expected a \";\"\n  \tx = 3\n  \t     ^\n          more\n\n\nptxas error   "
					  ": 'a' 0x1f '\n^\n";
	for (size_t n = 0; n <= strlen(log); n++) {
		char *cut = calloc(n + 1, 1);
		memcpy(cut, log, n);
		Diagnostics d = parsed(cut);
		for (size_t i = 0; i < d.len; i++) {
			char *text = diagnostic_render(&d.data[i], true);
			assert_true(strlen(text) > 0);
			free(text);
		}
		diagnostics_free(&d);
		free(cut);
	}
}

static void expect_rendered(DiagKind kind, const char *file, uint32_t line, uint32_t column, const char *message,
							const char *source, const char *wanted) {
	Diagnostics d = {0};
	diagnostics_add(&d, kind, file, line, column, message, source);
	char *text = diagnostic_render(&d.data[0], false);
	assert_string_equal(text, wanted);
	free(text);
	diagnostics_free(&d);
}

static void renders(void **state) {
	expect_rendered(DIAG_ERROR, "t.cu", 3, 5, "bad", "int x", "t.cu:3:5: error: bad\n  int x\n      ^");
	expect_rendered(DIAG_WARNING, "t.cu", 3, 0, "odd", NULL, "t.cu:3: warning: odd");
	expect_rendered(DIAG_NOTE, "", 0, 0, "so", NULL, "note: so");
	expect_rendered(DIAG_ERROR, "t.cu", 3, 1, "bad\nbecause\nof that", "x",
					"t.cu:3:1: error: bad\n  x\n  ^\n  because\n  of that");
	/* behind the line's end, on an empty line, far outside */
	expect_rendered(DIAG_ERROR, "t", 1, 4, "m", "abc", "t:1:4: error: m\n  abc\n     ^");
	expect_rendered(DIAG_ERROR, "t", 1, 1, "m", "", "t:1:1: error: m\n\n  ^");
	expect_rendered(DIAG_ERROR, "t", 1, 4000000000u, "m", "abc", "t:1:4000000000: error: m\n  abc\n     ^");
}

static void expands_tabs_and_counts_characters(void **state) {
	expect_rendered(DIAG_ERROR, "t", 1, 3, "m", "\ta\tb", "t:1:3: error: m\n      a   b\n       ^");
	expect_rendered(DIAG_ERROR, "t", 1, 2, "m", "\tab", "t:1:2: error: m\n      ab\n      ^");
	expect_rendered(DIAG_ERROR, "t", 1, 8, "m", "\"\xc5\xbe\xc5\x99\" @",
					"t:1:8: error: m\n  \"\xc5\xbe\xc5\x99\" @\n       ^");
	expect_rendered(DIAG_ERROR, "t", 1, 2, "m", "a\x1b[31mb\r", "t:1:2: error: m\n  a [31mb\n   ^");
}

/* The line under the caret in a rendering without colour. */
static char under_caret(const char *text) {
	const char *source = strchr(text, '\n') + 1;
	const char *caret = strchr(source, '\n') + 1;
	return source[strchr(caret, '^') - caret];
}

static void cuts_long_lines(void **state) {
	char line[1001];
	for (size_t i = 0; i < 1000; i++) line[i] = 'a';
	line[1000] = '\0';
	const uint32_t columns[] = {1, 2, 30, 77, 78, 79, 80, 500, 960, 999, 1000};
	for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
		line[columns[i] - 1] = '!';
		Diagnostics d = {0};
		diagnostics_add(&d, DIAG_ERROR, "t", 1, columns[i], "m", line);
		char *text = diagnostic_render(&d.data[0], false);
		for (const char *p = text; *p; p += strcspn(p, "\n"), p += *p == '\n') assert_true(strcspn(p, "\n") <= 80);
		assert_int_equal(under_caret(text), '!');
		assert_non_null(strstr(text, "..."));
		free(text);
		diagnostics_free(&d);
		line[columns[i] - 1] = 'a';
	}
}

static void clips_endless_messages(void **state) {
	Str long_message = {0};
	for (size_t i = 0; i < 100000; i++) str_add(&long_message, "\xc5\x99");
	Diagnostics d = {0};
	diagnostics_add(&d, DIAG_ERROR, "t", 1, 1, long_message.text, "x");
	char *text = diagnostic_render(&d.data[0], false);
	assert_true(strlen(text) < 600);
	assert_non_null(strstr(text, "\xc5\x99...\n  x\n  ^"));
	free(text);
	diagnostics_free(&d);
	str_free(&long_message);
}

static void colours_on_request(void **state) {
	Diagnostics d = {0};
	diagnostics_add(&d, DIAG_ERROR, "t.cu", 3, 5, "bad", "int x");
	char *text = diagnostic_render(&d.data[0], true);
	assert_string_equal(
		text, "\033[1mt.cu:3:5: \033[1;31merror: \033[0m\033[1mbad\033[0m\n  int x\n      \033[1;32m^\033[0m");
	free(text);
	diagnostics_free(&d);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_errors_and_warnings),
		cmocka_unit_test(reads_explanations),
		cmocka_unit_test(reads_the_tools),
		cmocka_unit_test(loses_nothing),
		cmocka_unit_test(survives_every_cut),
		cmocka_unit_test(renders),
		cmocka_unit_test(expands_tabs_and_counts_characters),
		cmocka_unit_test(cuts_long_lines),
		cmocka_unit_test(clips_endless_messages),
		cmocka_unit_test(colours_on_request),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("diagnostics", tests, NULL, NULL);
}
