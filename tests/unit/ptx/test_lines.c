/* Where instructions come from: .loc, line 0, chains of inlined functions and their names. */
#include "check.h"

static const PtxInlined *inlined(const PtxModule *m, uint32_t index) {
	assert_true(index >= 1 && index <= m->ninlined);
	return &m->inlined[index - 1];
}

static void the_last_loc_counts(void **state) {
	PtxModule *m =
		parse_kernel("mov.u32 %r1, 0;\n.loc 1 10 0\n.loc 1 11 3\nmov.u32 %r1, 1;\nmov.u32 %r1, 2;\n.loc 2 5 1\n"
					 "mov.u32 %r1, 3;\n.loc 1 0 9\nmov.u32 %r1, 4;\n.loc 1 12 1\nmov.u32 %r1, 5;");
	static const uint32_t files[] = {0, 1, 1, 2, 2, 1}, lines[] = {0, 11, 11, 5, 5, 12};
	const PtxFunction *f = kernel_of(m);
	for (size_t i = 0; i < COUNT(files); i++) {
		assert_int_equal(f->instrs[i].file, files[i]);
		assert_int_equal(f->instrs[i].line, lines[i]);
		assert_int_equal(f->instrs[i].inlined_at, 0);
	}
	assert_int_equal(f->file, 1);
	assert_int_equal(f->line, 10);
	ptx_free(m);
}

static void places_do_not_leak_into_the_next_function(void **state) {
	PtxModule *m = parse_module(".func f { .loc 1 7 1\nret; }\n.func g { .loc 1 0 1\nret; }\n.file 1 \"a.cu\"\n");
	assert_int_equal(ptx_function(m, "f")->line, 7);
	assert_int_equal(ptx_function(m, "g")->line, 0);
	assert_int_equal(ptx_function(m, "g")->instrs[0].line, 0);
	ptx_free(m);
}

/* "ab", "c" and "de" as bytes */
#define STRINGS                                                                                                        \
	".section .debug_abbrev\n{\n.b8 1\n.b8 17\n}\n"                                                                    \
	".section\t.debug_str\n\t{\n$L__info_string0:\n.b8 97,98,0\n$L__info_string1:\n.b8 99,0,100,101\n.b8 0\n\n\t}\n"

static PtxModule *parse_inlined(const char *statements) {
	Str text = {0};
	join(&text, KERNEL_HEAD, statements, "}\n.file 1 \"a.cu\"\n" STRINGS);
	PtxModule *m = parse_module(text.text);
	str_free(&text);
	return m;
}

static void chains_of_inlined_functions(void **state) {
	PtxModule *m = parse_inlined(".loc 1 19 2\n"
								 ".loc 1 14 25, function_name $L__info_string0, inlined_at 1 19 2\n"
								 ".loc 1 13 25, function_name $L__info_string1, inlined_at 1 14 25\nmov.u32 %r1, 0;\n"
								 ".loc 1 14 25, function_name $L__info_string0, inlined_at 1 19 2\nmov.u32 %r1, 1;\n"
								 ".loc 1 0 25, function_name $L__info_string1, inlined_at 1 14 25\nmov.u32 %r1, 2;\n"
								 ".loc 1 3 1, function_name $L__info_string1+2, inlined_at 1 14 25\nmov.u32 %r1, 3;\n"
								 ".loc 1 20 2\nmov.u32 %r1, 4;\n");
	const PtxFunction *f = kernel_of(m);
	const PtxInstr *in = f->instrs;
	assert_int_equal(in[0].line, 13);
	const PtxInlined *inner = inlined(m, in[0].inlined_at), *outer = inlined(m, inner->inlined_at);
	assert_string_equal(inner->function, "c");
	assert_int_equal(inner->line, 14);
	assert_string_equal(outer->function, "ab");
	assert_int_equal(outer->line, 19);
	assert_int_equal(outer->inlined_at, 0);
	assert_int_equal(in[1].line, 14);
	assert_ptr_equal(inlined(m, in[1].inlined_at), outer);
	assert_int_equal(in[2].line, 14); /* line 0: the place before, as it was */
	assert_ptr_equal(inlined(m, in[2].inlined_at), outer);
	assert_string_equal(inlined(m, in[3].inlined_at)->function, "de");
	assert_int_equal(in[4].inlined_at, 0);
	assert_int_equal(m->ninlined, 3); /* repeated places are one */
	ptx_free(m);
}

static void a_function_inlined_into_itself_ends(void **state) {
	PtxModule *m = parse_inlined(".loc 1 5 1\n"
								 ".loc 1 5 1, function_name $L__info_string0, inlined_at 1 5 1\nmov.u32 %r1, 0;\n"
								 ".loc 1 5 1, function_name $L__info_string0, inlined_at 1 5 1\nmov.u32 %r1, 1;\n");
	assert_int_equal(m->ninlined, 1);
	assert_int_equal(kernel_of(m)->instrs[1].inlined_at, 1);
	ptx_free(m);
}

static void chains_are_not_endless(void **state) {
	Str text = {0};
	for (int i = 0; i < 1000; i++) {
		str_add(&text, ".loc 1 5 1, function_name $L__info_string0, inlined_at 1 6 1\n"
					   ".loc 1 6 1, function_name $L__info_string1, inlined_at 1 5 1\nmov.u32 %r1, 0;\n");
	}
	PtxModule *m = parse_inlined(text.text);
	str_free(&text);
	for (uint32_t i = 0; i < kernel_of(m)->ninstrs; i++) {
		uint32_t depth = 0;
		for (uint32_t at = kernel_of(m)->instrs[i].inlined_at; at; at = inlined(m, at)->inlined_at) depth++;
		assert_true(depth <= 64);
	}
	ptx_free(m);
}

static void names_outside_the_strings_are_empty(void **state) {
	PtxModule *m = parse_inlined(
		".loc 1 5 1, function_name $nowhere, inlined_at 1 6 1\nmov.u32 %r1, 0;\n"
		".loc 1 5 1, function_name $L__info_string1+5, inlined_at 1 6 1\nmov.u32 %r1, 0;\n"
		".loc 1 5 1, function_name $L__info_string1+18446744073709551615, inlined_at 1 6 1\nmov.u32 %r1, 0;\n"
		".loc 1 5 1, inlined_at 1 6 1\nmov.u32 %r1, 0;\n"
		".loc 1 5 1, function_name $L__info_string1\nmov.u32 %r1, 0;\n");
	const PtxInstr *in = kernel_of(m)->instrs;
	for (int i = 0; i < 4; i++) assert_string_equal(inlined(m, in[i].inlined_at)->function, "");
	assert_int_equal(in[4].inlined_at, 0);
	ptx_free(m);
}

static void an_unfinished_string_ends_with_its_section(void **state) {
	PtxModule *m = parse_module(KERNEL_HEAD ".loc 1 5 1, function_name s, inlined_at 1 6 1\nmov.u32 %r1, 0; }\n"
											".section .debug_str { s: .b8 97, 98 }\n");
	assert_string_equal(m->inlined[0].function, "ab");
	ptx_free(m);
}

/* A place must not lead past the files: faults, counters and checkers look its name up. */
static void files_nobody_names_are_no_places(void **state) {
	PtxModule *m =
		parse_kernel(".loc 1 7 1\nmov.u32 %r1, 0;\n.loc 3 8 1\nmov.u32 %r1, 1;\n.loc 4000000 9 1, function_name "
					 "$L__info_string0, inlined_at 3 8 1\nmov.u32 %r1, 2;");
	const PtxFunction *f = kernel_of(m);
	assert_int_equal(f->instrs[0].line, 7);
	for (size_t i = 1; i < 3; i++) {
		assert_int_equal(f->instrs[i].file, 0);
		assert_int_equal(f->instrs[i].line, 0);
		assert_int_equal(f->instrs[i].inlined_at, 0);
	}
	for (uint32_t i = 0; i < m->ninlined; i++) assert_true(m->inlined[i].file < m->nfiles);
	ptx_free(m);
	m = parse_module(".func f { .loc 1 7 1\nret; }\n");
	assert_int_equal(ptx_function(m, "f")->file, 0);
	assert_int_equal(ptx_function(m, "f")->instrs[0].file, 0);
	ptx_free(m);
}

static void check_path(const char *written, const char *path) {
	Str text = {0};
	join(&text, ".file 1 \"", written, "\", 1700000000, 12\n");
	PtxModule *m = parse_module(text.text);
	assert_string_equal(m->files[1], path);
	ptx_free(m);
	str_free(&text);
}

static void paths_are_without_escapes(void **state) {
	check_path("/a/M\\305\\257j kurz/k.cu", "/a/M\xc5\xafj kurz/k.cu");
	check_path("/a/\\\"b\\\"\\\\c\\td", "/a/\"b\"\\c\td");
	check_path("\\\\305\\1011\\40x\\176\\377\\200", "\\305A1 x~\xff\x80");
	check_path("M\xc5\xafj", "M\xc5\xafj");
	check_path("", "");
}

/* What is no byte of a printable path stays visible, and never reads beyond the text. */
static void other_escapes_stay(void **state) {
	static const char *const same[] = {"a\\000b", "a\\0",     "a\\400b", "a\\777", "a\\012b", "a\\033[31m",
									   "a\\177",  "a\\n\\rb", "a\\9",    "a\\x41", "a\\u016f"};
	for (size_t i = 0; i < COUNT(same); i++) check_path(same[i], same[i]);
	refuse_module(".file 1 \"a\\", "a file name in quotes");
	refuse_module(".file 1 \"a\\30", "a file name in quotes");
	refuse_module(".file 1 \"a\\\"", "a file name in quotes");
}

static void refused(void **state) {
	refuse_statement(".loc 1 2;", "expected a column number");
	refuse_statement(".loc 1 -5 1", "expected a line number");
	refuse_statement(".loc 1 5000000000 1", "expected a line number");
	refuse_statement(".loc 1 2 3, nonsense", "expected function_name or inlined_at");
	refuse_statement(".loc 1 2 3, function_name 5", "expected a label in .debug_str");
	refuse_statement(".loc 1 2 3, function_name a, inlined_at 1 2;", "expected a column number");
	refuse_module(".section .debug_str { 5 }", "expected a label, .b8 or '}'");
	refuse_module(".section .debug_str { a: .b8 x }", "expected a byte");
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_last_loc_counts),
		cmocka_unit_test(places_do_not_leak_into_the_next_function),
		cmocka_unit_test(chains_of_inlined_functions),
		cmocka_unit_test(a_function_inlined_into_itself_ends),
		cmocka_unit_test(chains_are_not_endless),
		cmocka_unit_test(names_outside_the_strings_are_empty),
		cmocka_unit_test(an_unfinished_string_ends_with_its_section),
		cmocka_unit_test(files_nobody_names_are_no_places),
		cmocka_unit_test(paths_are_without_escapes),
		cmocka_unit_test(other_escapes_stay),
		cmocka_unit_test(refused),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
