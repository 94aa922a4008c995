/* Clusters of blocks: where blocks stand in them, what reaches whose shared memory, their barrier, and what is
 * refused. */
#include "bench.h"

#define KERNEL(cluster, text)                                                                                          \
	PTX_HEADER ".visible .entry k(.param .u64 a) .explicitcluster .reqnctapercluster " cluster "\n"                    \
			   "{ .reg .b32 %r<32>; .reg .b64 %l<16>; .reg .pred %p<4>; .shared .align 16 .b8 s[64];\n" text           \
			   "\nret; }\n"
#define BOTH "barrier.cluster.arrive; barrier.cluster.wait;\n"

static Bench *run(const char *text, uint32_t gx, uint32_t gy, uint32_t gz, uint32_t block, uint64_t param) {
	Bench *b = bench_open();
	Err err = ERR_INIT;
	const LaunchConfig c = {.grid = {gx, gy, gz}, .block = {block, 1, 1}, .timeout_ms = 10000};
	if (!bench_launch(b, text, c, &param, 8, &err)) fail_msg("%s", err.what);
	return b;
}

static void expect_fault(const char *text, uint32_t block, FaultKind kind, const char *says) {
	Bench *b = run(text, 2, 1, 1, block, 0);
	assert_int_equal(b->outcome.status, LAUNCH_FAULT);
	if (b->outcome.fault.kind != kind || !strstr(b->outcome.message, says)) fail_msg("%s", b->outcome.message);
	bench_close(b);
}

static void expect_limit(const char *text, uint32_t gx, const char *says) {
	Bench *b = run(text, gx, 1, 1, 32, 0);
	assert_int_equal(b->outcome.status, LAUNCH_LIMIT);
	if (!strstr(b->outcome.message, says)) fail_msg("%s", b->outcome.message);
	bench_close(b);
}

/* Every block writes its eight figures where its number in the grid says. */
static void places(void **state) {
	enum { GX = 4, GY = 6, GZ = 2, CX = 2, CY = 3, CZ = 1 };
	uint32_t got[GX * GY * GZ][8];
	uint64_t out;
	Err err = ERR_INIT;
	Bench *b = bench_open();
	assert_true(machine_alloc(b->machine, sizeof got, "out", &out, &err));
	const LaunchConfig c = {.grid = {GX, GY, GZ}, .block = {32, 1, 1}, .timeout_ms = 10000};
	assert_true(bench_launch(
		b,
		KERNEL("2, 3, 1",
			   "mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ctaid.y; mov.u32 %r3, %ctaid.z; mov.u32 %r4, %nctaid.x;\n"
			   "mov.u32 %r5, %nctaid.y; mad.lo.u32 %r6, %r3, %r5, %r2; mad.lo.u32 %r6, %r6, %r4, %r1;\n"
			   "ld.param.u64 %l1, [a]; mul.wide.u32 %l2, %r6, 32; add.u64 %l1, %l1, %l2;\n"
			   "mov.u32 %r10, %clusterid.x; mov.u32 %r11, %clusterid.y; mov.u32 %r12, %cluster_ctaid.x;\n"
			   "mov.u32 %r13, %cluster_ctaid.y; st.global.v4.u32 [%l1], {%r10, %r11, %r12, %r13};\n"
			   "mov.u32 %r14, %cluster_ctarank; mov.u32 %r15, %cluster_nctarank; mov.u32 %r16, %nclusterid.y;\n"
			   "mov.u32 %r17, %cluster_nctaid.y; st.global.v4.u32 [%l1+16], {%r14, %r15, %r16, %r17};"),
		c, &out, 8, &err));
	assert_int_equal(b->outcome.status, LAUNCH_OK);
	assert_true(machine_read(b->machine, out, got, sizeof got, &err));
	for (uint32_t i = 0; i < GX * GY * GZ; i++) {
		const uint32_t x = i % GX, y = i / GX % GY;
		const uint32_t want[8] = {x / CX, y / CY, x % CX, y % CY, y % CY * CX + x % CX, CX * CY * CZ, GY / CY, CY};
		assert_memory_equal(got[i], want, sizeof want);
	}
	bench_close(b);
}

/* The same word by a generic address, by one of the window, by a vector, by an atomic, and whose it is. */
static void each_way(void **state) {
	uint32_t got[2][8];
	uint64_t out;
	Err err = ERR_INIT;
	Bench *b = bench_open();
	assert_true(machine_alloc(b->machine, sizeof got, "out", &out, &err));
	const LaunchConfig c = {.grid = {2, 1, 1}, .block = {1, 1, 1}, .timeout_ms = 10000};
	assert_true(bench_launch(
		b,
		KERNEL(
			"2",
			"mov.u32 %r1, %cluster_ctarank; xor.b32 %r2, %r1, 1; add.u32 %r3, %r1, 40; st.shared.u32 [s+4], %r3;\n" BOTH
			"mov.u32 %r4, s; mapa.shared::cluster.u32 %r5, %r4, %r2; ld.shared::cluster.u32 %r10, [%r5+4];\n"
			"cvt.u64.u32 %l1, %r4; cvta.shared.u64 %l1, %l1; mapa.u64 %l2, %l1, %r2; ld.u32 %r11, [%l2+4];\n"
			"atom.add.u32 %r12, [%l2+4], 100; getctarank.u64 %r13, %l2; getctarank.shared::cluster.u32 %r14, %r4;\n"
			"isspacep.shared::cta %p1, %l2; isspacep.shared::cluster %p2, %l2; isspacep.shared %p3, %l1;\n"
			"selp.u32 %r15, 1, 0, %p1; selp.u32 %r16, 2, 0, %p2; selp.u32 %r17, 4, 0, %p3; add.u32 %r15, %r15, %r16;\n"
			"add.u32 %r15, %r15, %r17; st.shared::cluster.v2.u32 [%r5+8], {%r1, %r3};\n" BOTH
			"ld.shared.u32 %r16, [s+4]; ld.shared.u32 %r17, [s+12]; ld.param.u64 %l3, [a]; mul.wide.u32 %l4, %r1, 32;\n"
			"add.u64 %l3, %l3, %l4; st.global.v4.u32 [%l3], {%r10, %r11, %r12, %r13};\n"
			"st.global.v4.u32 [%l3+16], {%r14, %r15, %r16, %r17};"),
		c, &out, 8, &err));
	if (b->outcome.status != LAUNCH_OK) fail_msg("%s", b->outcome.message);
	assert_true(machine_read(b->machine, out, got, sizeof got, &err));
	for (uint32_t i = 0; i < 2; i++) {
		const uint32_t other = 41 - i, want[8] = {other, other, other, 1 - i, i, 6, 140 + i, other};
		assert_memory_equal(got[i], want, sizeof want);
	}
	bench_close(b);
}

/* One block announces bytes to its barrier, the other copies them there and completes it. */
static void bulk_copy_to_another_block(void **state) {
	uint32_t got[4];
	uint64_t out;
	Err err = ERR_INIT;
	Bench *b = bench_open();
	assert_true(machine_alloc(b->machine, sizeof got, "out", &out, &err));
	const LaunchConfig c = {.grid = {2, 1, 1}, .block = {1, 1, 1}, .timeout_ms = 10000};
	assert_true(bench_launch(
		b,
		KERNEL("2", "mov.u32 %r1, %cluster_ctarank; setp.eq.u32 %p1, %r1, 0; mov.u32 %r2, s; mov.u32 %r3, 16;\n"
					"mbarrier.init.shared.b64 [s], 1; mov.u32 %r5, 7; st.shared.v4.u32 [s+16], {%r1, %r5, %r5, %r1};\n"
					"mbarrier.arrive.expect_tx.shared.b64 %l1, [s], 16;\n" BOTH "@%p1 bra WAIT;\n"
					"mapa.shared::cluster.u32 %r6, %r2, 0; add.u32 %r7, %r6, 32; add.u32 %r8, %r2, 16;\n"
					"cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%r7], [%r8], %r3, [%r6]; "
					"bra END;\n"
					"WAIT: mbarrier.try_wait.shared.b64 %p2, [s], %l1; @!%p2 bra WAIT;\n"
					"ld.shared.v4.u32 {%r10, %r11, %r12, %r13}, [s+32]; ld.param.u64 %l3, [a];\n"
					"st.global.v4.u32 [%l3], {%r10, %r11, %r12, %r13};\nEND: " BOTH),
		c, &out, 8, &err));
	if (b->outcome.status != LAUNCH_OK) fail_msg("%s", b->outcome.message);
	assert_true(machine_read(b->machine, out, got, sizeof got, &err));
	const uint32_t want[4] = {1, 7, 7, 1};
	assert_memory_equal(got, want, sizeof want);
	bench_close(b);
}

/* Threads that end are not waited for; lanes of one warp may come apart; a phase may be long over when somebody waits
 * for it. */
static void barrier_of_those_that_are_left(void **state) {
	static const char *const bodies[] = {
		KERNEL("2", "mov.u32 %r1, %cluster_ctarank; setp.eq.u32 %p1, %r1, 1; @%p1 exit;\n" BOTH BOTH),
		KERNEL("2", "mov.u32 %r1, %tid.x; and.b32 %r1, %r1, 1; setp.eq.u32 %p1, %r1, 1; @%p1 bra ODD;\n" BOTH
					"bra END; ODD: " BOTH "END: " BOTH),
		KERNEL("2", "barrier.cluster.arrive.release.aligned; mov.u32 %r1, 0; L: add.u32 %r1, %r1, 1;\n"
					"setp.lt.u32 %p1, %r1, 20000; @%p1 bra L; barrier.cluster.wait.acquire.aligned;\n" BOTH),
		KERNEL("2", "mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 7; barrier.cluster.arrive.relaxed; @%p1 exit;\n"
					"barrier.cluster.wait;\n" BOTH),
		KERNEL("8", "mov.u32 %r1, %cluster_ctarank; setp.lt.u32 %p1, %r1, 4; @%p1 bar.sync 0; " BOTH)};
	for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
		Bench *b = run(bodies[i], 16, 1, 1, 70, 0);
		if (b->outcome.status != LAUNCH_OK) fail_msg("%zu: %s", i, b->outcome.message);
		bench_close(b);
	}
}

static void misuse(void **state) {
	expect_fault(KERNEL("2", "barrier.cluster.arrive; barrier.cluster.arrive;"), 64, FAULT_BARRIER, "again");
	expect_fault(KERNEL("2", "barrier.cluster.wait;"), 64, FAULT_BARRIER, "without having arrived");
	expect_fault(KERNEL("2", BOTH "barrier.cluster.wait;"), 64, FAULT_BARRIER, "without having arrived");
	expect_fault(KERNEL("2",
						"mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 32; @%p1 bar.sync 1, 64; @!%p1 bra L; bra END;\n"
						"L: " BOTH "END:"),
				 64, FAULT_BARRIER, "forever");
	expect_fault(
		KERNEL("2", "mov.u32 %r1, %cluster_ctarank; setp.eq.u32 %p1, %r1, 1; @%p1 bra L; bar.sync 1, 64; L: " BOTH), 32,
		FAULT_BARRIER, "forever");
	expect_fault(KERNEL("2", "mov.u32 %r1, s; mapa.shared::cluster.u32 %r2, %r1, 2;"), 32, FAULT_INSTRUCTION,
				 "no block 2 in a cluster of 2");
	expect_fault(KERNEL("2", "mov.u64 %l1, 4096; mapa.u64 %l2, %l1, 0;"), 32, FAULT_WRONG_SPACE, "shared memory");
	expect_fault(KERNEL("2", "mov.u64 %l1, 4096; getctarank.u64 %r2, %l1;"), 32, FAULT_WRONG_SPACE, "shared memory");
	expect_fault(
		KERNEL("2", "mov.u32 %r1, s; mapa.shared::cluster.u32 %r2, %r1, 1; ld.shared::cluster.u32 %r3, [%r2+64];"), 32,
		FAULT_OUT_OF_BOUNDS, "in block 1 of the cluster");
	expect_fault(
		KERNEL("2", "mov.u32 %r1, s; mapa.shared::cluster.u32 %r2, %r1, 1; ld.shared::cluster.u32 %r3, [%r2+2];"), 32,
		FAULT_MISALIGNED, "multiple of 4");
	expect_fault(KERNEL("2", "mov.u32 %r1, 0x7fffff0; ld.shared::cluster.u32 %r3, [%r1];"), 32, FAULT_OUT_OF_BOUNDS,
				 "shared");
	expect_fault(KERNEL("2", "mov.u32 %r1, -4; st.shared::cluster.u32 [%r1], %r1;"), 32, FAULT_OUT_OF_BOUNDS, "shared");
	expect_fault(KERNEL("2", "barrier.cluster.sync;"), 32, FAULT_INSTRUCTION, "barrier.cluster.sync");
}

static void what_does_not_fit(void **state) {
	expect_limit(KERNEL("9", ""), 9, "clusters of 9 x 1 x 1 blocks");
	expect_limit(KERNEL("65535, 65535, 65535", ""), 2, "at most 8");
	expect_limit(KERNEL("2, 2", ""), 2, "in y");
	expect_limit(KERNEL("2", ""), 3, "3 blocks in x");
	Err err = ERR_INIT;
	for (int i = 0; i < 3; i++) {
		static const char *const headers[] = {KERNEL("0", ""), KERNEL("2, 2, 2, 2", ""), KERNEL("70000", "")};
		assert_null(ptx_parse(headers[i], strlen(headers[i]), &err));
		err_clear(&err);
	}
	Bench *b = bench_open();
	machine_close(b->machine);
	b->machine = machine_open(gpu_find("A100", &err), 1);
	uint64_t param = 0;
	assert_true(
		bench_launch(b, KERNEL("2", ""), (LaunchConfig){.grid = {2, 1, 1}, .block = {32, 1, 1}}, &param, 8, &err));
	assert_int_equal(b->outcome.status, LAUNCH_LIMIT);
	assert_non_null(strstr(b->outcome.message, "9.0"));
	bench_close(b);
}

/* A sample takes whole clusters; where its runs would cut them, none is taken. */
static void samples(void **state) {
	Err err = ERR_INIT;
	uint64_t param = 0;
	LaunchConfig c = {.grid = {9600, 1, 1}, .block = {32, 1, 1}, .timeout_ms = 10000, .sample = 480};
	static const char *const body[] = {KERNEL("8", BOTH), KERNEL("7", BOTH), KERNEL("1, 2", BOTH)};
	Bench *b = bench_open();
	if (!bench_launch(b, body[0], c, &param, 8, &err)) fail_msg("%s", err.what);
	assert_int_equal(b->outcome.status, LAUNCH_OK);
	c.grid[0] = 9604;
	assert_false(bench_launch(b, body[1], c, &param, 8, &err));
	assert_non_null(strstr(err.what, "sample"));
	err_clear(&err);
	c.grid[1] = 2;
	assert_false(bench_launch(b, body[2], c, &param, 8, &err));
	c.sample = 0;
	err_clear(&err);
	assert_true(bench_launch(b, body[2], c, &param, 8, &err));
	assert_int_equal(b->outcome.status, LAUNCH_OK);
	bench_close(b);
}

/* Whatever order a seed draws, clusters come to their end, and all see what their neighbours left. */
static void any_order(void **state) {
	Err err = ERR_INIT;
	uint64_t out;
	uint32_t got[24];
	Bench *b = bench_open();
	assert_true(machine_alloc(b->machine, sizeof got, "out", &out, &err));
	for (uint64_t seed = 1; seed <= 40; seed++) {
		const LaunchConfig c = {.grid = {24, 1, 1}, .block = {96, 1, 1}, .timeout_ms = 10000, .schedule = seed};
		assert_true(bench_launch(
			b,
			KERNEL("4",
				   "mov.u32 %r1, %cluster_ctarank; add.u32 %r2, %r1, 1; and.b32 %r2, %r2, 3; mov.u32 %r3, %ctaid.x;\n"
				   "mov.u32 %r4, %tid.x; setp.ne.u32 %p1, %r4, 95; @!%p1 st.shared.u32 [s], %r3;\n" BOTH
				   "mov.u32 %r5, s; mapa.shared::cluster.u32 %r6, %r5, %r2; ld.shared::cluster.u32 %r7, [%r6];\n"
				   "ld.param.u64 %l1, [a]; mul.wide.u32 %l2, %r3, 4; add.u64 %l1, %l1, %l2;\n"
				   "@!%p1 st.global.u32 [%l1], %r7;\n" BOTH),
			c, &out, 8, &err));
		if (b->outcome.status != LAUNCH_OK) fail_msg("%s", b->outcome.message);
		assert_true(machine_read(b->machine, out, got, sizeof got, &err));
		for (uint32_t i = 0; i < 24; i++) assert_int_equal(got[i], i / 4 * 4 + (i + 1) % 4);
	}
	bench_close(b);
}

int main(void) {
	const struct CMUnitTest tests[] = {cmocka_unit_test(places),
									   cmocka_unit_test(each_way),
									   cmocka_unit_test(bulk_copy_to_another_block),
									   cmocka_unit_test(barrier_of_those_that_are_left),
									   cmocka_unit_test(misuse),
									   cmocka_unit_test(what_does_not_fit),
									   cmocka_unit_test(samples),
									   cmocka_unit_test(any_order)};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("emu cluster", tests, NULL, NULL);
}
