/* Text that no compiler wrote: cut short, with flipped bytes, endlessly nested, or asking for absurd amounts. Nothing
 * may crash, hang or take memory out of proportion; the sanitizers watch. */
#include "check.h"

#include <malloc.h>
#include <stdlib.h>

#include "nvrtc.h"
#include "ptx/analysis/cfg.h"

/* A bit of everything, small, so that many broken versions of it can be read. */
static const char sample[] = HEADER
	".extern .func (.param .b32 func_retval0) vprintf(.param .b64 a, .param .b64 b);\n"
	".func g;\n.global .align 8 .u64 t[3] = {g, generic(t)+8, 5};\n.const .f32 w[2] = {0f3F800000, 1.5};\n"
	".global .b8 p[9] = {1, 0xFF(t), 0xFF00(t), 0xFF0000(t), 0xFF000000(t), 0xFF00000000(t), 0xFF0000000000(t), "
	"0xFF000000000000(t), 0xFF00000000000000(t)};\n.extern .shared .align 16 .b8 dyn[];\n"
	".visible .entry k(.param .u64 param_0, .param .align 8 .b8 param_1[24])\n.maxntid 256, 1, 1\n{\n"
	".local .align 8 .b8 depot[16];\n.reg .pred %p<3>;\n.reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n.reg .f32 %f<9>;\n"
	".loc 1 3 0\nld.param.u64 %rd1, [param_0];\n.loc 1 4 5, function_name $L__info_string0, inlined_at 1 3 0\n"
	"mov.u32 %r1, %tid.x;\nld.global.v4.f32 {%f1, %f2, _, %f4}, [%rd1+-16];\nsetp.lt.and.s32 %p1|%p2, %r1, -5, !%p1;\n"
	"@%p1 bra $L1;\n{ // callseq\n.param .b64 param0;\nst.param.b64 [param0+0], %rd1;\n.param .b32 retval0;\n"
	"call.uni (retval0), vprintf, (param0, param0);\nld.param.b32 %r2, [retval0+0];\n}\n"
	"proto : .callprototype (.param .b32 _) _ (.param .b32 _);\ncall %rd2, proto;\n"
	"list: .branchtargets $L1, $L2;\nbrx.idx %r2, list;\n$L1:\n.pragma \"nounroll\";\n"
	"{ .reg .b32 %r<2>; DONE: @%p1 bra DONE; }\natom.global.add.u32 %r3, [%rd1], %r1;\n"
	"tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f5, %f6}];\n$L2:\nbar.sync 0; ret;\n}\n"
	".file 1 \"a.cu\"\n.section .debug_str\n{\n$L__info_string0:\n.b8 97,98,0\n}\n";

/* Reads the text from memory of exactly its size and uses what comes out. */
static bool survive(const char *text, size_t len) {
	char *exact = malloc(len ? len : 1);
	Err err = ERR_INIT;
	memcpy(exact, text, len);
	PtxModule *m = ptx_parse(exact, len, &err);
	free(exact);
	if (!m) {
		assert_int_equal(err.kind, ERR_COMPILE);
		assert_memory_equal(err.what, "PTX line ", 9);
		return false;
	}
	Arena *arena = arena_new();
	for (uint32_t i = 0; i < m->nfunctions; i++) ptx_cfg(arena, m->functions[i]);
	arena_free(arena);
	ptx_free(m);
	return true;
}

static void the_sample_is_sound(void **state) {
	assert_true(survive(sample, sizeof sample - 1));
}

static void truncated(void **state) {
	for (size_t len = 0; len < sizeof sample - 1; len++) survive(sample, len);
}

static void what_compilers_wrote_truncated(void **state) {
	static const uint32_t ccs[] = {OLDER_GENERATOR, NEWER_GENERATOR};
	for (size_t i = 0; i < COUNT(ccs); i++) {
		char *text = nvrtc_ptx(GPULAB_SOURCE_ROOT "/tests/ptx/corpus/control.cu", ccs[i], NULL);
		const size_t len = strlen(text);
		for (size_t cut = 0; cut < len; cut += 97) survive(text, cut);
		free(text);
	}
}

static uint32_t next_random(uint64_t *state) {
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return (uint32_t)(*state >> 20);
}

static void flipped_bytes(void **state) {
	uint64_t seed = 20240229;
	char text[sizeof sample];
	int good = 0;
	for (int round = 0; round < 20000; round++) {
		memcpy(text, sample, sizeof sample);
		for (uint32_t n = 1 + next_random(&seed) % 3; n > 0; n--)
			text[next_random(&seed) % (sizeof sample - 1)] ^= (char)(1 << next_random(&seed) % 8);
		good += survive(text, sizeof sample - 1);
	}
	assert_true(good >= 1 && good <= 19999); /* some flips hit a name or a number: both ways are taken */
}

/* Pieces of the text moved about: better than bytes at keeping the lexer happy. */
static void shuffled_pieces(void **state) {
	uint64_t seed = 7;
	Str text = {0};
	for (int round = 0; round < 5000; round++) {
		str_clear(&text);
		str_add(&text, HEADER);
		for (int n = 0; n < 20; n++) {
			size_t at = next_random(&seed) % (sizeof sample - 1), len = 1 + next_random(&seed) % 120;
			if (at + len > sizeof sample - 1) len = sizeof sample - 1 - at;
			str_addn(&text, sample + at, len);
		}
		survive(text.text, text.len);
	}
	str_free(&text);
}

static void repeat(Str *text, const char *piece, int times) {
	for (int i = 0; i < times; i++) str_add(text, piece);
}

static void must_be(bool good, const char *head, const char *piece, int times, const char *tail) {
	Str text = {0};
	join(&text, HEADER, head, "");
	repeat(&text, piece, times);
	str_add(&text, tail);
	if (survive(text.text, text.len) != good) fail_msg("%s ... %d times %s", head, times, piece);
	str_free(&text);
}

static void nesting(void **state) {
	must_be(false, KERNEL_HEAD, "{", 1000000, "");
	must_be(false, KERNEL_HEAD "mov.u32 %r1, ", "{", 1000000, ";}");
	must_be(false, KERNEL_HEAD "mov.u32 %r1, ", "-", 1000000, "1;}");
	must_be(false, KERNEL_HEAD "mov.u32 %r1, ", "!", 1000000, "%p1;}");
	must_be(false, KERNEL_HEAD "ld.u32 %r1, ", "[", 1000000, ";}");
	must_be(false, ".global .b8 x[4] = ", "{", 1000000, "");
	must_be(false, ".global .b8 x", "[1]", 1000000, ";");
	must_be(false, ".global .u64 x = ", "generic(", 1000000, "");
	must_be(false, ".global .attribute", "(", 1000000, "");
	must_be(false, ".func f .attribute", "(", 1000000, "");
	must_be(true, "/", "*", 1000000, ""); /* a comment to the end */
	must_be(true, KERNEL_HEAD, "{ ret; }\n", 100000, "}");
}

static void long_texts(void **state) {
	must_be(true, KERNEL_HEAD, "add.s32 %r1, %r2, %r3;\n", 100000, "}");
	must_be(true, KERNEL_HEAD "top:", "@%p1 bra top; @%p1 bra end;\n", 20000, "end: }");
	must_be(true, KERNEL_HEAD, "{ @%p1 bra end; } { l: bra l; }\n", 20000, "end: }");
	must_be(true, KERNEL_HEAD "mov.b64 %rd1, {%r1", ", %r1", 200000, "}; }");
	must_be(false, KERNEL_HEAD, ".reg .b32 %rz<1000>; mov.u32 %rz1, 0; {", 150, "");
	must_be(true, ".func f;", ".func f;", 50000, "");
	must_be(true, "", ".global .b8 a[1000000000]; {", 0, ".global .b8 a[60000000000];");
	must_be(true, ".global .b8 x[] = {1", ",1", 200000, "};");
	must_be(true, ".section .debug_str { s: .b8 1", ",1", 200000, "}");
	must_be(true, KERNEL_HEAD, ".loc 1 5 1, function_name s, inlined_at 1 6 1\n.loc 1 6 1\n", 20000, "}");
	must_be(false, "", "add", 1000000, ";");
	must_be(false, KERNEL_HEAD "bra ", "x", 1000000, ";}");
}

/* Many uses of an outer label from deep inside are handed outwards block by block. */
static void labels_far_outside(void **state) {
	Str text = {0};
	str_add(&text, HEADER KERNEL_HEAD);
	repeat(&text, "{", 190);
	repeat(&text, "bra far;\n", 20000);
	repeat(&text, "}", 190);
	str_add(&text, "far: ret; }");
	assert_true(survive(text.text, text.len));
	str_free(&text);
}

static void tables_of_branches(void **state) {
	Str text = {0};
	str_add(&text, HEADER KERNEL_HEAD "list: .branchtargets l");
	repeat(&text, ", l", 5000);
	str_add(&text, ";\nl: ret;");
	repeat(&text, "brx.idx %r1, list;\n", 5000);
	str_add(&text, "}");
	assert_false(survive(text.text, text.len)); /* 25 million edges */
	str_free(&text);
}

static void absurd_amounts(void **state) {
	refuse_module(".global .b8 x[1000000000000000000];", "at most 64 GiB");
	refuse_statement(".reg .b32 %q<4000000000>;", "at most 4194304 registers");
	size_t before = mallinfo2().uordblks;
	PtxModule *m = parse_kernel(".reg .b32 %q<4194304>; mov.u32 %q4194303, 0;");
	assert_int_equal(kernel_of(m)->nregs, 1);
	assert_true(mallinfo2().uordblks - before < 100000);
	ptx_free(m);
	before = mallinfo2().uordblks;
	m = parse_module(".global .b8 x[60000000000];");
	assert_true(mallinfo2().uordblks - before < 100000);
	ptx_free(m);
	must_be(false, "", ".global .b8 x[30000000] = {1};", 1, ".global .b8 y[40000000] = {1};");
}

/* Sets of live registers for every block of such a function would not fit in memory. */
static void a_monster_is_refused(void **state) {
	Str text = {0};
	Err err = ERR_INIT;
	str_add(&text, HEADER ".entry k() { .reg .pred %p; .reg .b32 %r<60000>;\n");
	for (int i = 0; i < 60000; i++) str_addf(&text, "l%d: @%%p bra l%d; mov.u32 %%r%d, 0;\n", i, i, i);
	str_add(&text, "}");
	assert_null(ptx_parse(text.text, text.len, &err));
	assert_non_null(strstr(err.what, "the function 'k' is too large to analyze: 60001 registers"));
	str_free(&text);
}

int main(int argc, char **argv) {
	nvrtc_begin(argc, argv);
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_sample_is_sound),
		cmocka_unit_test(truncated),
		cmocka_unit_test(what_compilers_wrote_truncated),
		cmocka_unit_test(flipped_bytes),
		cmocka_unit_test(shuffled_pieces),
		cmocka_unit_test(nesting),
		cmocka_unit_test(long_texts),
		cmocka_unit_test(labels_far_outside),
		cmocka_unit_test(tables_of_branches),
		cmocka_unit_test(absurd_amounts),
		cmocka_unit_test(a_monster_is_refused),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
