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

int main(void) {
	const struct CMUnitTest tests[] = {cmocka_unit_test(shared_memory_at_32_bits)};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("emu shared", tests, NULL, NULL);
}
