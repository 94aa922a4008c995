/* Addresses of shared memory: in registers of 32 and of 64 bits. */
#include "bench.h"
#include "emu/code/handlers.h"
#include "emu/machine/internal.h"

/* How many accesses of a kernel have no handler of their own. */
static unsigned slow_accesses(const char *body) {
	char text[2000];
	unsigned slow = 0;
	snprintf(text, sizeof text,
			 PTX_HEADER ".visible .entry k() {\n.reg .b32 %%a, %%b, %%r<12>; .reg .b64 %%la, %%lb, %%ld, %%l<12>; "
						".reg .pred %%p<8>;\n%s ret; }\n",
			 body);
	Bench *b = bench_open();
	Err err = ERR_INIT;
	PtxModule *ptx = ptx_parse(text, strlen(text), &err);
	EmuModule *module = NULL;
	if (!ptx || !machine_load(b->machine, ptx, &module, &err)) fail_msg("%s\n%s", err.what, text);
	const EmuFunction *f = emu_kernel(module, "k")->programs[0];
	for (uint32_t i = 0; i < f->nops; i++)
		if (f->ops[i].run == handler(H_ld_any) || f->ops[i].run == handler(H_st_any)) slow++;
	machine_unload(b->machine, module);
	ptx_free(ptx);
	bench_close(b);
	return slow;
}

/* NVRTC 13.5 computes the addresses of shared memory in 32 bits, older ones in 64: the accesses and the ways are the
 * same. */
static void shared_memory_at_32_bits(void **state) {
	static const char *const where[] = {"mov.u64 %%l9, s; shl.b64 %%l10, %%lb, 4; add.u64 %%l9, %%l9, %%l10;",
										"mov.u32 %%r9, s; shl.b32 %%r10, %%b, 4; add.u32 %%r9, %%r9, %%r10;"};
	uint64_t lanes[32], turned[32];
	for (uint64_t l = 0; l < 32; l++) {
		lanes[l] = l << 32 | (l + 1);
		turned[l] = l * 7 % 32;
	}
	for (int narrow = 0; narrow < 2; narrow++) {
		const char *at = narrow ? "%r9" : "%l9";
		char format[1000], body[1000];
		snprintf(format, sizeof format,
				 ".shared .align 16 .b8 s[512]; %s\n"
				 "st.shared.u64 [%%1$s], %%%%la; st.shared.v2.u32 [%%1$s+8], {%%%%a, %%%%b};\n"
				 "and.b32 %%%%r1, %%%%b, 1; setp.eq.u32 %%%%p1, %%%%r1, 1; @%%%%p1 st.shared.u32 [%%1$s+4], %%%%b;\n"
				 "ld.shared.v4.u32 {%%%%r2, %%%%r3, %%%%r4, %%%%r5}, [%%1$s]; ld.shared.u64 %%%%l1, [%%1$s];\n"
				 "ld.shared.u32 %%%%r6, [%%1$s+12]; @!%%%%p1 ld.shared.u32 %%%%r6, [%%1$s+8];\n"
				 "mad.lo.u32 %%%%r2, %%%%r3, 64, %%%%r2; mad.lo.u32 %%%%r2, %%%%r4, 4096, %%%%r2;\n"
				 "mad.lo.u32 %%%%r2, %%%%r5, 262144, %%%%r2; mad.lo.u32 %%%%r2, %%%%r6, 16777216, %%%%r2;\n"
				 "cvt.u64.u32 %%%%ld, %%%%r2; shl.b64 %%%%l1, %%%%l1, 32; add.u64 %%%%ld, %%%%ld, %%%%l1;",
				 where[narrow]);
		snprintf(body, sizeof body, format, at);
		Bench *b = bench_open();
		bench_run(b, body, lanes, turned, NULL, 32);
		for (uint64_t l = 0; l < 32; l++) {
			const uint64_t t = turned[l], high = t & 1 ? t : l, last = t & 1 ? t : l + 1;
			const uint32_t words = (uint32_t)((l + 1) + (high << 6) + ((l + 1) << 12) + (t << 18) + (last << 24));
			assert_int_equal(b->out[l], ((l + 1) << 32) + words);
		}
		bench_close(b);
		assert_int_equal(slow_accesses(body), 0);
	}
}

/* Rows, one word for all, a permutation, an address below the variable and an offset that makes up for it, and the
 * address register loaded itself; then a word behind the variable. */
static void fast_paths_at_32_bits(void **state) {
	static const char *const body =
		".shared .align 16 .b8 s[256]; .shared .align 16 .b8 after[4];\n"
		"mov.u%1$u %%%2$s9, s; shl.b%1$u %%%2$s10, %%%3$sb, 2; add.u%1$u %%%2$s11, %%%2$s9, %%%2$s10;\n"
		"st.shared.u32 [%%%2$s11], %%a; st.shared.u32 [%%%2$s11+128], %%b; bar.sync 0;\n"
		"shl.b%1$u %%%2$s10, %%%3$sa, 2; add.u%1$u %%%2$s10, %%%2$s9, %%%2$s10; ld.shared.u32 %%r1, [%%%2$s10];\n"
		"ld.shared.u32 %%r2, [%%%2$s10+128]; ld.shared.u32 %%r3, [%%%2$s9+20]; ld.shared.u32 %%r4, [%%%2$s11];\n"
		"add.u%1$u %%%2$s8, %%%2$s9, -64; ld.shared.u32 %%r5, [%%%2$s8+72]; ld.shared.u%1$u %%%2$s11, [%%%2$s10];\n"
		"cvt.u64.u32 %%l1, %%r1; mad.wide.u32 %%l1, %%r2, 64, %%l1; mad.wide.u32 %%l1, %%r3, 4096, %%l1;\n"
		"mad.wide.u32 %%l1, %%r4, 262144, %%l1; mad.wide.u32 %%l1, %%r5, 16777216, %%l1;\n"
		"cvt.u64.u%1$u %%l2, %%%2$s11; and.b64 %%l2, %%l2, 63; shl.b64 %%l2, %%l2, 32; add.u64 %%ld, %%l1, %%l2;";
	static const char *const behind =
		".shared .align 4 .b8 s[128];\nmov.u%1$u %%%2$s9, s; shl.b%1$u %%%2$s10, %%%3$sb, 2;\n"
		"add.u%1$u %%%2$s9, %%%2$s9, %%%2$s10; st.shared.u32 [%%%2$s9+4], %%a;";
	uint64_t lanes[32], turned[32];
	char inner[2000], text[4000], said[2][512];
	for (uint64_t l = 0; l < 32; l++) {
		lanes[l] = l & ~(uint64_t)1; /* 8 bytes at such a word are aligned */
		turned[l] = l * 7 % 32;
	}
	for (int narrow = 0; narrow < 2; narrow++) {
		const unsigned bits = narrow ? 32 : 64;
		snprintf(inner, sizeof inner, body, bits, narrow ? "r" : "l", narrow ? "" : "l");
		Bench *b = bench_open();
		bench_run(b, inner, lanes, turned, NULL, 32);
		for (uint64_t l = 0; l < 32; l++) {
			const uint64_t at = lanes[l]; /* word turned[k] holds lanes[k], and behind them turned[k]: k = 23 * word */
			const uint64_t r1 = lanes[at * 23 % 32], r3 = lanes[5 * 23 % 32], r5 = lanes[2 * 23 % 32];
			assert_int_equal(b->out[l], r1 + (at << 6) + (r3 << 12) + (lanes[l] << 18) + (r5 << 24) + (r1 << 32));
		}
		bench_close(b);
		assert_int_equal(slow_accesses(inner), 0);
		snprintf(inner, sizeof inner, behind, bits, narrow ? "r" : "l", narrow ? "" : "l");
		snprintf(text, sizeof text,
				 PTX_HEADER
				 ".visible .entry k(.param .u64 p0) { .reg .b32 %%a, %%b, %%r<12>; .reg .b64 %%lb, %%l<12>;\n"
				 "mov.u32 %%a, %%tid.x; mov.u32 %%b, %%a; cvt.u64.u32 %%lb, %%b;\n%s ret; }",
				 inner);
		b = bench_open();
		Err err = ERR_INIT;
		const uint64_t none = 0;
		const LaunchConfig config = {.grid = {1, 1, 1}, .block = {32, 1, 1}, .timeout_ms = 10000};
		if (!bench_launch(b, text, config, &none, 8, &err)) fail_msg("%s", err.what);
		assert_int_equal(b->outcome.fault.kind, FAULT_OUT_OF_BOUNDS);
		snprintf(said[narrow], sizeof said[narrow], "%s", b->outcome.message);
		bench_close(b);
	}
	assert_string_equal(said[0], said[1]);
}

int main(void) {
	const struct CMUnitTest tests[] = {cmocka_unit_test(shared_memory_at_32_bits),
									   cmocka_unit_test(fast_paths_at_32_bits)};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("emu shared", tests, NULL, NULL);
}
