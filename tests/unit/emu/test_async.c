/* Matrices, asynchronous copies and barriers in memory: what they do when all is well is compared with a GPU
 * (tests/gpu/differential); here is how warps work together on them, and that misuse is a fault that says so. */
#include "base/str.h"
#include "bench.h"
#include "coverage.h"

#define KERNEL(params, text)                                                                                           \
	PTX_HEADER ".visible .entry k(" params ") { .reg .b32 %r<32>; .reg .b64 %l<8>; .reg .pred %p<4>;\n"                \
			   ".shared .align 16 .b8 s[1024];\n" text "\nret; }\n"

static LaunchConfig shape(uint32_t block) {
	return (LaunchConfig){.grid = {1, 1, 1}, .block = {block, 1, 1}, .timeout_ms = 10000};
}

static Bench *run(const char *text, uint32_t block, uint64_t param) {
	Bench *b = bench_open();
	Err err = ERR_INIT;
	if (!bench_launch(b, text, shape(block), &param, 8, &err)) fail_msg("%s", err.what);
	return b;
}

static void expect_fault(const char *text, uint32_t block, FaultKind kind, const char *says) {
	Bench *b = run(text, block, 0);
	assert_int_equal(b->outcome.status, LAUNCH_FAULT);
	assert_int_equal(b->outcome.fault.kind, kind);
	if (!strstr(b->outcome.message, says)) fail_msg("%s", b->outcome.message);
	bench_close(b);
}

static void half_a_warp(void **state) {
	expect_fault(KERNEL(".param .u64 a", "mov.u32 %r1, %laneid; setp.lt.u32 %p1, %r1, 16; @!%p1 bra L;\n"
										 "movmatrix.sync.aligned.m8n8.trans.b16 %r2, %r1; L:"),
				 32, FAULT_INSTRUCTION, "all 32 threads");
}

static void matrices_out_of_place(void **state) {
	expect_fault(KERNEL(".param .u64 a", "mov.u32 %r1, s; add.u32 %r1, %r1, 8;\n"
										 "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r2}, [%r1];"),
				 32, FAULT_MISALIGNED, "");
	expect_fault(KERNEL(".param .u64 a", "mov.u32 %r1, s; add.u32 %r1, %r1, 4096;\n"
										 "stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r1], {%r2};"),
				 32, FAULT_OUT_OF_BOUNDS, "");
}

/* Shapes that do not exist are no products, however well the registers would fit. */
static void shapes_there_are_not(void **state) {
#define FOUR "%r1, %r1, %r1, %r1"
#define SIXTEEN FOUR ", " FOUR ", " FOUR ", " FOUR
	static const char of_many_registers[] = "mma.sync.aligned.m16n8k128.row.col.f16.f16.f16.f16 {%r1, %r2}, {" SIXTEEN
											", " SIXTEEN "}, {" SIXTEEN "}, {%r1, %r2};";
#undef SIXTEEN
#undef FOUR
	static const char *const products[] = {
		of_many_registers,
		"mma.sync.aligned.m8n8k256.row.col.s32.b1.b1.s32.xor.popc {%r1, %r2}, {%r1, %r1}, {%r1, %r1}, {%r1, %r1};",
		"mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32 {%r1, %r2}, {%r1}, {%r1}, {%r1, %r1};",
		"mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.or.popc {%r1, %r2}, {%r1}, {%r1}, {%r1, %r1};",
		"mma.sync.aligned.m8n8k32.row.col.s32.s4.s8.s32 {%r1, %r2}, {%r1}, {%r1}, {%r1, %r1};",
		"mma.sync.aligned.m8n8k32.row.row.s32.s4.s4.s32 {%r1, %r2}, {%r1}, {%r1}, {%r1, %r1};",
		"mma.sync.aligned.m8n8k32.row.col.s32.s4.s4.s32 {%r1, %r2}, {%r1, %r2}, {%r1}, {%r1, %r1};",
		"wmma.mma.sync.aligned.row.col.m1n1k2048.f32.f32 {%r1}, {%r1}, {%r1}, {%r1};",
		"wmma.mma.sync.aligned.col.col.m8n8k32.s32.s4.s4.s32 {%r1, %r2}, {%r1}, {%r1}, {%r1, %r1};",
		"wmma.load.a.sync.aligned.col.m8n8k32.shared.s4 {%r1}, [s];",
		"wmma.load.c.sync.aligned.row.m8n8k32.shared.s4 {%r1}, [s];",
		"wmma.load.a.sync.aligned.row.m8n8k32.shared.s4 {%r1, %r2}, [s];",
		"wmma.store.d.sync.aligned.row.m8n8k32.shared.u4 [s], {%r1};"};
	for (size_t i = 0; i < sizeof products / sizeof *products; i++) {
		static const char frame[] = KERNEL(".param .u64 a", "?");
		const char *const at = strchr(frame, '?');
		char text[1024];
		snprintf(text, sizeof text, "%.*s%s%s", (int)(at - frame), frame, products[i], at + 1);
		expect_fault(text, 32, FAULT_INSTRUCTION, "does not execute");
	}
	expect_fault(KERNEL(".param .u64 a", "wmma.load.a.sync.aligned.row.m8n8k32.shared.s4 {%r2}, [s+2];"), 32,
				 FAULT_MISALIGNED, "4");
	expect_fault(KERNEL(".param .u64 a", "wmma.load.b.sync.aligned.col.m8n8k128.shared.b1 {%r2}, [s+912];"), 32,
				 FAULT_OUT_OF_BOUNDS, "1024");
	expect_fault(
		KERNEL(".param .u64 a", "mov.u32 %r1, -1; wmma.load.b.sync.aligned.col.m8n8k32.shared.u4 {%r2}, [s], %r1;"), 32,
		FAULT_MISALIGNED, "");
	expect_fault(
		KERNEL(".param .u64 a", "mov.u32 %r1, -8; wmma.load.b.sync.aligned.col.m8n8k32.shared.u4 {%r2}, [s], %r1;"), 32,
		FAULT_OUT_OF_BOUNDS, "");
}

static void copies_out_of_place(void **state) {
	expect_fault(KERNEL(".param .u64 a", "mov.u32 %r1, s; ld.param.u64 %l1, [a];\n"
										 "cp.async.ca.shared.global [%r1], [%l1], 16;"),
				 32, FAULT_OUT_OF_BOUNDS, "");
	Bench *b = bench_open();
	Err err = ERR_INIT;
	uint64_t in;
	assert_true(machine_alloc(b->machine, 64, "in", &in, &err));
	in += 4;
	assert_true(bench_launch(b,
							 KERNEL(".param .u64 a", "mov.u32 %r1, s; ld.param.u64 %l1, [a];\n"
													 "cp.async.ca.shared.global [%r1], [%l1], 16;"),
							 shape(1), &in, 8, &err));
	assert_int_equal(b->outcome.fault.kind, FAULT_MISALIGNED);
	assert_non_null(strstr(b->outcome.message, "16"));
	in -= 4;
	assert_true(bench_launch(b,
							 KERNEL(".param .u64 a", "mov.u32 %r1, s; add.u32 %r1, %r1, 1020; ld.param.u64 %l1, [a];\n"
													 "cp.async.ca.shared.global [%r1], [%l1], 8;"),
							 shape(1), &in, 8, &err));
	assert_int_equal(b->outcome.status, LAUNCH_FAULT);
	bench_close(b);
}

static void too_many_arrivals(void **state) {
	expect_fault(KERNEL(".param .u64 a", "mbarrier.init.shared.b64 [s], 16; mbarrier.arrive.shared.b64 %l1, [s], 17;"),
				 1, FAULT_BARRIER, "16");
}

/* Two warps: one fills, tells by mbarrier, the other waits in a loop for the phase and takes. */
static void one_waits_for_the_other(void **state) {
	Bench *b = bench_open();
	Err err = ERR_INIT;
	uint64_t out;
	uint32_t got[32];
	assert_true(machine_alloc(b->machine, sizeof got, "out", &out, &err));
	assert_true(bench_launch(
		b,
		KERNEL(".param .u64 a",
			   "mov.u32 %r1, %tid.x; mov.u32 %r5, s; setp.ne.u32 %p1, %r1, 0;\n"
			   "@!%p1 mbarrier.init.shared.b64 [s], 32; bar.sync 0;\n"
			   "and.b32 %r2, %r1, 31; shl.b32 %r3, %r2, 2; add.u32 %r4, %r5, %r3;\n"
			   "setp.lt.u32 %p2, %r1, 32; @%p2 bra TAKE;\n"
			   "add.u32 %r6, %r2, 100; st.shared.b32 [%r4+64], %r6;\n"
			   "mbarrier.arrive.shared.b64 %l1, [s]; bra DONE;\n"
			   "TAKE: mbarrier.try_wait.parity.shared.b64 %p3, [s], 0; @!%p3 bra TAKE;\n"
			   "ld.shared.b32 %r7, [%r4+64]; ld.param.u64 %l2, [a]; cvt.u64.u32 %l3, %r3; add.u64 %l2, %l2, %l3;\n"
			   "st.global.b32 [%l2], %r7; DONE:"),
		shape(64), &out, 8, &err));
	if (b->outcome.status != LAUNCH_OK) fail_msg("%s", b->outcome.message);
	assert_true(machine_read(b->machine, out, got, sizeof got, &err));
	for (uint32_t i = 0; i < 32; i++) assert_int_equal(got[i], 100 + i);
	bench_close(b);
}

/* The copy of a bulk announces its bytes to the barrier. */
static void bulk_copy_completes_its_barrier(void **state) {
	Bench *b = bench_open();
	Err err = ERR_INIT;
	uint64_t memory;
	uint32_t words[32];
	for (uint32_t i = 0; i < 32; i++) words[i] = 7 * i;
	assert_true(machine_alloc(b->machine, sizeof words, "memory", &memory, &err));
	assert_true(machine_write(b->machine, memory, words, sizeof words, &err));
	assert_true(bench_launch(
		b,
		KERNEL(".param .u64 a",
			   "ld.param.u64 %l2, [a]; mbarrier.init.shared.b64 [s], 1;\n"
			   "mbarrier.arrive.expect_tx.shared.b64 %l1, [s], 64;\n"
			   "mov.u32 %r1, s; add.u32 %r2, %r1, 128; mov.u32 %r3, 64;\n"
			   "mbarrier.test_wait.shared.b64 %p1, [s], %l1; selp.u32 %r4, 1, 0, %p1;\n"
			   "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r2], [%l2], %r3, [%r1];\n"
			   "mbarrier.test_wait.shared.b64 %p1, [s], %l1; selp.u32 %r5, 1, 0, %p1;\n"
			   "ld.shared.b32 %r6, [%r2+60]; st.global.b32 [%l2+64], %r4; st.global.b32 [%l2+68], %r5; st.global.b32 "
			   "[%l2+72], %r6;"),
		shape(1), &memory, 8, &err));
	if (b->outcome.status != LAUNCH_OK) fail_msg("%s", b->outcome.message);
	assert_true(machine_read(b->machine, memory, words, sizeof words, &err));
	assert_int_equal(words[16], 0);
	assert_int_equal(words[17], 1);
	assert_int_equal(words[18], 7 * 15);
	bench_close(b);
}

static void coverage_is_found_by_lowering(void **state) {
	Arena *arena = arena_new();
	Err err = ERR_INIT;
	Form odd[] = {{.name = "add.u32", .last = "u32", .op = OP_ADD, .code = "add.u32 $d, 1, 2;"},
				  {.name = "frobnicate.u32", .last = "u32", .code = "frobnicate.u32 $d, 1;"},
				  {.name = "mov.b128", .last = "b128", .op = OP_MOV, .code = "mov.u32 $d, 1;"}};
	bool covered[3];
	for (int i = 0; i < 3; i++) {
		odd[i].ndst = 1;
		odd[i].dst[0].kind = FORM_I32;
	}
	assert_true(coverage_of(&(Forms){.data = odd, .len = 3}, covered, &err));
	assert_true(covered[0] && !covered[1] && covered[2]);
	const Forms all = forms_all(arena);
	assert_true(all.len > 2000);
	arena_free(arena);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(half_a_warp),
		cmocka_unit_test(matrices_out_of_place),
		cmocka_unit_test(shapes_there_are_not),
		cmocka_unit_test(copies_out_of_place),
		cmocka_unit_test(too_many_arrivals),
		cmocka_unit_test(one_waits_for_the_other),
		cmocka_unit_test(bulk_copy_completes_its_barrier),
		cmocka_unit_test(coverage_is_found_by_lowering),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
