/* The light reading of sources: includes, kernels, ends of tokens. */
#include "folder.h"

#include <stdlib.h>
#include <string.h>

#include "base/cancel.h"
#include "base/str.h"
#include "compile/source/conditions.h"
#include "compile/source/scan.h"
#include "compile/source/tokens.h"

/* Includes as one text: "h" <v> ? for a quoted, a bracketed, and an unknown one. */
static char *includes_of(const char *source) {
	ScanInclude *includes;
	Arena *arena = arena_new();
	size_t n = scan_includes(arena, source, &includes);
	Str s = {0};
	str_add(&s, "");
	for (size_t i = 0; i < n; i++) {
		if (i) str_add(&s, " ");
		if (!includes[i].name) {
			str_add(&s, "?");
		} else {
			str_addf(&s, includes[i].quoted ? "\"%s\"" : "<%s>", includes[i].name);
		}
	}
	arena_free(arena);
	return str_take(&s);
}

static void expect_includes(const char *source, const char *wanted) {
	char *got = includes_of(source);
	assert_string_equal(got, wanted);
	free(got);
}

static void finds_includes(void **state) {
	expect_includes("", "");
	expect_includes("#include \"a.h\"\n#include <b.h>\n", "\"a.h\" <b.h>");
	expect_includes("  #  include\t\"a.h\"  // why\n", "\"a.h\"");
	expect_includes("#include_next <a.h>", "<a.h>");
	expect_includes("#if 0\n#include \"a.h\"\n#endif\n", "\"a.h\"");
	expect_includes("int x; #include \"a.h\"\n", "");
	expect_includes("#define HEADER \"a.h\"\n#include HEADER\n", "?");
	expect_includes("#inc\\\nlude \"a.h\"\n", "\"a.h\"");
	expect_includes("#\\\n include \"a.h\"\n", "\"a.h\"");
	expect_includes("#/* why */include/**/\"a.h\"\n", "\"a.h\"");
	expect_includes("/* why */ # /* not\n */ include \"a.h\"\n", "\"a.h\"");
	expect_includes("%:include <a.h>\n#import <b.h>\n#includes <c.h>\n", "<a.h> <b.h>");
	expect_includes("#include \"a.h\n", "?");
	expect_includes("#include", "?");
	expect_includes("\xef\xbb\xbf#include <a.h>\n", "<a.h>");
}

static void finds_has_include(void **state) {
	expect_includes("#if __has_include(\"a.h\") || __has_include( <b.h> )\n#endif", "\"a.h\" <b.h>");
	expect_includes("#ifdef __has_include\n#endif", "");
	expect_includes("#if __has_include(HEADER)\n#endif", "?");
}

static void overlooks_comments_and_strings(void **state) {
	expect_includes("// #include \"a.h\"\n/* \n#include \"b.h\"\n*/\n", "");
	expect_includes("const char *s = \"\\\n#include \\\"a.h\\\"\";\n", "");
	expect_includes("const char *s = R\"x(\n#include \"a.h\"\n)y\" )x\";\n#include \"b.h\"\n", "\"b.h\"");
	expect_includes("// spliced \\\n#include \"a.h\"\n#include \"b.h\"\n", "\"b.h\"");
	expect_includes("int n = 1'000'000;\n#include \"b.h\"\n", "\"b.h\"");
	expect_includes("char c = '\"';\n#include \"b.h\"\n", "\"b.h\"");
	expect_includes("char *open = \"never closed\n#include \"b.h\"\n", "\"b.h\"");
	expect_includes("/* never closed\n#include \"b.h\"\n", "");
	expect_includes("R\"(never closed\n#include \"b.h\"\n", "");
}

/* Kernels as one text: name@line, or name<template>@line. */
static void expect_kernels(const char *source, const char *wanted) {
	ScanKernel *kernels;
	Arena *arena = arena_new();
	size_t n = scan_kernels(arena, source, &kernels);
	Str s = {0};
	str_add(&s, "");
	for (size_t i = 0; i < n; i++) {
		const char *t = kernels[i].template_;
		str_addf(&s, "%s%s%s%s%s@%u", i ? " " : "", kernels[i].name, t ? "<" : "", t ? t : "", t ? ">" : "",
				 kernels[i].line);
	}
	arena_free(arena);
	assert_string_equal(s.text, wanted);
	str_free(&s);
}

static void finds_kernels(void **state) {
	expect_kernels("__global__ void copy(float *p) {}\n", "copy@1");
	expect_kernels("extern \"C\" __global__ void\ncopy(float *p) {}\n", "copy@2");
	expect_kernels("static void __global__ k(void);", "k@1");
	expect_kernels("__global__ void __launch_bounds__(256, 2) k(void) {}", "k@1");
	expect_kernels("__global__ __attribute__((used)) void k(void) {}", "k@1");
	expect_kernels("#define KERNEL static __global__\ntemplate <int N> KERNEL void k(int *p) {}", "k<int N>@2");
	expect_kernels("#define KERNEL(n) __global__ void n\nKERNEL(k)(int *p) {}", "");
	expect_kernels("void host(int);\n// __global__ void no(int);\nconst char *s = \"__global__ void no(int)\";", "");
}

static void finds_templates_and_namespaces(void **state) {
	expect_kernels("template <int N, class T = A<3>> __global__ void k(T *p) {}", "k<int N, class T = A<3>>@1");
	expect_kernels("template<class T> T f(T);\n__global__ void k(int) {}", "k@2");
	expect_kernels("template <int N = (3 > 2)> __global__ void k() {}", "k<int N = (3 > 2)>@1");
	expect_kernels("namespace a { namespace b { __global__ void k() { if (1) { } } } __global__ void l() {} "
				   "}\n__global__ void m();",
				   "a::b::k@1 a::l@1 m@2");
	expect_kernels("namespace a::b {\n__global__ void k();\n}", "a::b::k@2");
	expect_kernels("namespace { __global__ void k(); }", "k@1");
	expect_kernels("namespace alias = std;\n__global__ void k();", "k@2");
	expect_kernels("using namespace std;\n__global__ void k();", "k@2");
}

static void expect_parameters(const char *source, uint32_t line, const char *name, const char *wanted) {
	AUTO_ARENA Arena *arena = arena_new();
	const char *got = scan_parameters_at(arena, source, line, name);
	if (wanted)
		assert_string_equal(got, wanted);
	else
		assert_null(got);
}

static void finds_parameters(void **state) {
	expect_parameters("int k(int);\n__global__ void k(float *p, /* why */\n int n) {}", 2, "k", "float *p, int n");
	expect_parameters("KERNEL(k)(int *p)\n{}", 1, "k", "int *p");
	expect_parameters("__global__ void k(void (*f)(int)) {}", 1, "k", "void (*f)(int)");
	expect_parameters("EACH(k, float)", 1, "k", NULL);
	expect_parameters("// k(int)\n", 1, "k", NULL);
	expect_parameters("__global__ void k() {}", 9, "k", NULL);
	expect_parameters("KERNEL(k", 1, "k", NULL);
	expect_parameters("k(", 1, "k", "");
}

/* For each line "x": "1" where it is left out. */
static void expect_left_out(const char *source, const char *wanted) {
	static const char *const options[] = {"-DOPTION=1", NULL};
	const UnitFile files[] = {{"", source}, {"/h", "#define HEADER 1\n"}};
	AUTO_ARENA Arena *arena = arena_new();
	AUTO_STR Str got = {0};
	uint32_t line = 1;
	for (const char *p = source; *p; p = strchr(p, '\n') + 1, line++)
		if (*p == 'x') str_add(&got, conditions_leave_out(arena, files, 2, 0, line, options) ? "1" : "0");
	assert_string_equal(got.text, wanted);
}

static void knows_what_conditions_leave_out(void **state) {
	expect_left_out("x\n#if 0\nx\n#else\nx\n#endif\nx\n", "0100");
	expect_left_out("#if 1\nx\n#elif 1\nx\n#else\nx\n#endif\n", "011");
	expect_left_out("#ifdef A\nx\n#else\nx\n#endif\n#define A\n#ifdef A\nx\n#else\nx\n#endif\n", "1001");
	expect_left_out("#define A 3\n#if A > 2 && defined(A)\nx\n#elif A\nx\n#endif\n#undef A\n#if A\nx\n#endif\n", "011");
	expect_left_out("#ifndef GUARD\n#define GUARD\nx\n#endif\n", "0");
	expect_left_out("#if 0\n#if 1\nx\n#endif\n#define A\n#endif\n#ifdef A\nx\n#endif\n", "11");
	/* What is not known is not left out. */
	expect_left_out("#if HEADER\nx\n#else\nx\n#endif\n", "00");
	expect_left_out("#ifdef OPTION\nx\n#else\nx\n#endif\n", "00");
	expect_left_out("#ifdef __CUDACC__\nx\n#else\nx\n#endif\n", "00");
	expect_left_out("#if CUDART_VERSION >= 12000\nx\n#else\nx\n#endif\n", "00");
	expect_left_out("#if 2 * 3 - 6\nx\n#else\nx\n#endif\n", "00");
	expect_left_out("#if HEADER\n#define A\n#endif\n#ifdef A\nx\n#else\nx\n#endif\n", "00");
	expect_left_out("#if 0 && HEADER\nx\n#endif\n#if !(1 || HEADER)\nx\n#endif\n", "11");
	expect_left_out("#endif\n#else\n#if (((\nx\n#elif !\nx\n#if\nx\n", "000");
}

static void survives_nonsense(void **state) {
	expect_kernels("__global__", "");
	expect_kernels("__global__ void", "");
	expect_kernels("__global__ void k", "");
	expect_kernels("__global__ ;;;} } } __global__ void k(int)", "k@1");
	expect_kernels("template <<<<<< __global__ void k(int)", "");
	expect_kernels("template < __global__ ( ( (", "");
	expect_kernels("namespace", "");
	expect_kernels("namespace { { {", "");
	expect_kernels("__global__ void (((", "");
	expect_kernels("\xff\xfe\x01 # \\ \" ' R\"", "");
}

static void survives_every_cut(void **state) {
	const char *source =
		"#include \"a.h\" /* c */ // d\n#define X \\\n y\nnamespace n { template <int N> __global__ void "
		"__launch_bounds__(3) k(int a) { R\"q(x)q\"; 'c'; \"s\\n\"; 1'0; } }";
	for (size_t n = 0; n <= strlen(source); n++) {
		char *cut = calloc(n + 1, 1); /* exactly as long, so that the sanitizer sees a step too far */
		memcpy(cut, source, n);
		ScanKernel *kernels;
		ScanInclude *includes;
		uint32_t line, column;
		Arena *arena = arena_new();
		size_t nk = scan_kernels(arena, cut, &kernels), ni = scan_includes(arena, cut, &includes);
		scan_token_end_before(cut, 100, 1, &line, &column);
		assert_true(nk <= 1 && ni <= 1);
		arena_free(arena);
		free(cut);
	}
}

static void expect_end(const char *source, uint32_t line, uint32_t column, uint32_t wanted_line,
					   uint32_t wanted_column) {
	uint32_t l = 0, c = 0;
	bool found = scan_token_end_before(source, line, column, &l, &c);
	assert_int_equal(found, wanted_line != 0);
	assert_int_equal(l, wanted_line);
	assert_int_equal(c, wanted_column);
}

static void finds_token_ends(void **state) {
	const char *source = "int a = 3 // three\n\n/* more\n lines */\tint b;\n";
	expect_end(source, 4, 11, 1, 10);
	expect_end(source, 1, 5, 1, 4);
	expect_end(source, 1, 1, 0, 0);
	expect_end(source, 99, 1, 4, 17);
	expect_end("s = R\"(\n\n)\"\nx", 4, 1, 3, 3);
}

/* A source with far more tokens than are read between two looks, and an include at its end. */
static char *much_source(void) {
	enum { LINES = 100000 };
	Str s = {0};
	for (int i = 0; i < LINES; i++) str_add(&s, "int a = 1;\n");
	str_add(&s, "#include \"last.h\"\n");
	return str_take(&s);
}

static void reading_ends_at_its_limit(void **state) {
	char *source = much_source();
	assert_false(tokens_over());
	tokens_limit(1e-9);
	expect_includes(source, "");
	assert_true(tokens_over());
	tokens_limit(1e6);
	expect_includes(source, "\"last.h\"");
	assert_false(tokens_over());
	tokens_limit(0);
	free(source);
}

static void reading_ends_at_a_cancel(void **state) {
	char *source = much_source();
	tokens_limit(1e6);
	atomic_store(&cancel_flag, true);
	expect_includes(source, "");
	atomic_store(&cancel_flag, false);
	assert_true(tokens_over()); /* what was read stays incomplete */
	tokens_limit(0);
	expect_includes(source, "\"last.h\"");
	free(source);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_includes),
		cmocka_unit_test(finds_has_include),
		cmocka_unit_test(overlooks_comments_and_strings),
		cmocka_unit_test(finds_kernels),
		cmocka_unit_test(finds_templates_and_namespaces),
		cmocka_unit_test(finds_parameters),
		cmocka_unit_test(knows_what_conditions_leave_out),
		cmocka_unit_test(survives_nonsense),
		cmocka_unit_test(survives_every_cut),
		cmocka_unit_test(finds_token_ends),
		cmocka_unit_test(reading_ends_at_its_limit),
		cmocka_unit_test(reading_ends_at_a_cancel),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("scan", tests, NULL, NULL);
}
