/* Launches that make no sense, go on for ever, or ask for what there is not; the order of observers' calls. */
#include <pthread.h>
#include <unistd.h>

#include "base/str.h"
#include "bench.h"
#include "emu/code/handlers.h"
#include "emu/count/counters.h"

#define KERNEL(params, text)                                                                                           \
	PTX_HEADER ".visible .entry k(" params ") { .reg .b32 %r<8>; .reg .b64 %l<8>; .reg .pred %p<4>;\n" text "\nret; "  \
			   "}\n"

static LaunchConfig shape(uint32_t grid, uint32_t block) {
	return (LaunchConfig){.grid = {grid, 1, 1}, .block = {block, 1, 1}, .timeout_ms = 10000};
}

static void senseless(void **state) {
	Bench *b = bench_open();
	Err err = ERR_INIT;
	uint64_t param = 0;
	assert_false(bench_launch(b, KERNEL(".param .u64 a", ""), shape(1, 1), &param, 4, &err));
	assert_int_equal(err.kind, ERR_USAGE);
	err_clear(&err);
	assert_false(bench_launch(b, KERNEL(".param .u64 a", ""), shape(1, 1), NULL, 8, &err));
	assert_int_equal(err.kind, ERR_USAGE);
	err_clear(&err);
	assert_false(bench_launch(b, KERNEL("", ""), shape(0, 1), NULL, 0, &err));
	assert_false(bench_launch(b, KERNEL("", ""), shape(1, 0), NULL, 0, &err));
	assert_true(bench_launch(b, KERNEL("", ""), shape(1, 1), NULL, 0, &err));
	assert_int_equal(b->outcome.status, LAUNCH_OK);
	bench_close(b);
}

static void too_much(void **state) {
	Bench *b = bench_open();
	Err err = ERR_INIT;
	LaunchConfig c = shape(1, 2048);
	assert_true(bench_launch(b, KERNEL("", ""), c, NULL, 0, &err));
	assert_int_equal(b->outcome.status, LAUNCH_LIMIT);
	assert_non_null(strstr(b->outcome.message, "2048"));
	assert_non_null(strstr(b->outcome.message, "1024"));
	c = shape(1, 32);
	c.shared_bytes = SIZE_MAX - 64;
	assert_true(bench_launch(b, KERNEL("", ""), c, NULL, 0, &err));
	assert_int_equal(b->outcome.status, LAUNCH_LIMIT);
	c.shared_bytes = 1 << 20;
	assert_true(bench_launch(b, KERNEL("", ""), c, NULL, 0, &err));
	assert_int_equal(b->outcome.status, LAUNCH_LIMIT);
	assert_true(bench_launch(b,
							 KERNEL("", ".local .align 4 .b8 big[100000000]; mov.u64 %l1, big; st.local.u32 [%l1], 1;"),
							 shape(1, 32), NULL, 0, &err));
	assert_int_equal(b->outcome.status, LAUNCH_LIMIT);
	assert_true(
		bench_launch(b, PTX_HEADER ".visible .entry k() .maxntid 64, 1, 1 { ret; }\n", shape(1, 65), NULL, 0, &err));
	assert_int_equal(b->outcome.status, LAUNCH_LIMIT);
	assert_non_null(strstr(b->outcome.message, "64"));
	bench_close(b);
}

static void uncovered_instructions(void **state) {
	Bench *b = bench_open();
	Err err = ERR_INIT;
	/* Loading is no trouble, and neither is passing it by. */
	const char *text = KERNEL(
		".param .u32 a", "ld.param.u32 %r1, [a]; setp.eq.u32 %p1, %r1, 0; @%p1 bra L; frobnicate.b32 %r2, %r1; L:");
	uint32_t param = 0;
	assert_true(bench_launch(b, text, shape(1, 32), &param, 4, &err));
	assert_int_equal(b->outcome.status, LAUNCH_OK);
	param = 1;
	assert_true(bench_launch(b, text, shape(1, 32), &param, 4, &err));
	assert_int_equal(b->outcome.fault.kind, FAULT_INSTRUCTION);
	assert_non_null(strstr(b->outcome.message, "frobnicate.b32 %r2, %r1"));
	bench_close(b);
}

static void no_such_function(void **state) {
	Bench *b = bench_open();
	Err err = ERR_INIT;
	const char *text = PTX_HEADER ".extern .func away ();\n.visible .entry k() { call.uni away, (); ret; }\n";
	assert_true(bench_launch(b, text, shape(1, 1), NULL, 0, &err));
	assert_int_equal(b->outcome.fault.kind, FAULT_INSTRUCTION);
	assert_non_null(strstr(b->outcome.message, "away"));
	const char *wild = KERNEL("", "P: .callprototype _ (); mov.u64 %l1, 12345; call %l1, (), P;");
	assert_true(bench_launch(b, wild, shape(1, 1), NULL, 0, &err));
	assert_int_equal(b->outcome.fault.kind, FAULT_INSTRUCTION);
	assert_non_null(strstr(b->outcome.message, "not a function's address"));
	bench_close(b);
}

/* --- stopping --- */

static const char endless[] = KERNEL("", "L: bra L;");

static void time_limit(void **state) {
	Bench *b = bench_open();
	Err err = ERR_INIT;
	LaunchConfig c = shape(3, 64);
	c.timeout_ms = 50;
	assert_true(bench_launch(b, endless, c, NULL, 0, &err));
	assert_int_equal(b->outcome.status, LAUNCH_TIMEOUT);
	assert_non_null(strstr(b->outcome.message, "within 50 ms of processor time: block ("));
	assert_true(bench_launch(b, KERNEL("", ""), shape(3, 64), NULL, 0, &err));
	assert_int_equal(b->outcome.status, LAUNCH_OK);
	bench_close(b);
}

/* Both warps have slices of 512 basic blocks in turn; the 21st is the first's eleventh. */
static void a_limit_says_where_the_launch_was(void **state) {
	Bench *b = bench_open();
	Err err = ERR_INIT;
	LaunchConfig c = shape(1, 64);
	c.work_limit = 20 * 512;
	assert_true(bench_launch(b, endless, c, NULL, 0, &err));
	assert_int_equal(b->outcome.status, LAUNCH_TIMEOUT);
	assert_non_null(strstr(b->outcome.message,
						   "within 10240 basic blocks: block (0,0,0), warp 0, was after 5 632 warp instructions."));
	bench_close(b);
}

/* Wherever a launch spends its time: in many short blocks, or in a few that never end. */
static void a_limit_ends_any_launch(void **state) {
	static const char *const kernels[] = {KERNEL("", ""), KERNEL("", "L: bra L;"),
										  KERNEL("", "L: mov.u64 %l1, %clock64; bra L;"),
										  KERNEL("", "L: bar.sync 0; bra L;")};
	Bench *b = bench_open();
	Err err = ERR_INIT;
	LaunchConfig c = {.grid = {INT32_MAX, 1, 1}, .block = {128, 1, 1}, .timeout_ms = 20};
	for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
		for (c.schedule = 0; c.schedule < 4; c.schedule++) {
			if (!bench_launch(b, kernels[i], c, NULL, 0, &err)) fail_msg("%s", err.what);
			assert_int_equal(b->outcome.status, LAUNCH_TIMEOUT);
			assert_non_null(strstr(b->outcome.message, ", was after "));
		}
	}
	bench_close(b);
}

/* Lanes that have left the loop wait with 16 bits in s1, while others write registers of 32 bits that are not live at
 * the same time. */
static void lanes_that_wait_keep_their_values(void **state) {
	enum { N = 32 };
	Bench *b = bench_open();
	uint64_t x[N], iterations[N];
	for (uint32_t i = 0; i < N; i++) x[i] = 1000 + 77 * i, iterations[i] = i * 7 % 13;
	bench_run(b,
			  "mov.u32 %r1, 0;\nLOOP: add.u32 %r2, %r1, %a; mul.lo.u32 %r3, %r2, 3; xor.b32 %r4, %r3, %r2;\n"
			  "cvt.u16.u32 %s1, %r4; setp.ge.u32 %p1, %r1, %b; @%p1 bra OUT; add.u32 %r1, %r1, 1; bra LOOP;\n"
			  "OUT: cvt.u64.u16 %ld, %s1;",
			  x, iterations, NULL, N);
	for (uint32_t i = 0; i < N; i++) {
		const uint64_t sum = x[i] + iterations[i];
		assert_int_equal(b->out[i], (uint16_t)(3 * sum ^ sum));
	}
	bench_close(b);
}

static void *set_soon(void *flag) {
	usleep(20000);
	atomic_store((atomic_bool *)flag, true);
	return NULL;
}

static void cancelled(void **state) {
	Err err = ERR_INIT;
	Machine *m = machine_open(gpu_find("H200", &err), 2);
	PtxModule *ptx = ptx_parse(endless, strlen(endless), &err);
	EmuModule *module;
	assert_true(machine_load(m, ptx, &module, &err));
	atomic_bool cancel = false;
	pthread_t thread;
	pthread_create(&thread, NULL, set_soon, &cancel);
	EmuLaunch launch = {.config = shape(8, 128), .cancel = &cancel};
	LaunchOutcome outcome;
	assert_true(machine_launch(m, emu_kernel(module, "k"), &launch, &outcome, &err));
	assert_int_equal(outcome.status, LAUNCH_INTERRUPTED);
	pthread_join(thread, NULL);
	machine_unload(m, module);
	machine_close(m);
	ptx_free(ptx);
}

/* Of the faults of many blocks on many threads one is told, and it is a block's that did fault. */
static void first_fault(void **state) {
	Err err = ERR_INIT;
	Machine *m = machine_open(gpu_find("H200", &err), 4);
	const char *text = KERNEL("", "mov.u32 %r1, %ctaid.x; setp.ge.u32 %p1, %r1, 5; @%p1 trap;");
	PtxModule *ptx = ptx_parse(text, strlen(text), &err);
	EmuModule *module;
	assert_true(machine_load(m, ptx, &module, &err));
	EmuLaunch launch = {.config = shape(64, 96)};
	for (int i = 0; i < 20; i++) {
		LaunchOutcome outcome;
		assert_true(machine_launch(m, emu_kernel(module, "k"), &launch, &outcome, &err));
		assert_int_equal(outcome.status, LAUNCH_FAULT);
		assert_int_equal(outcome.fault.kind, FAULT_TRAP);
		assert_true(outcome.fault.block[0] >= 5 && outcome.fault.block[0] <= 12);
		assert_int_equal(outcome.fault.thread[0], 0);
		assert_int_equal(outcome.fault.threads, 32);
	}
	machine_unload(m, module);
	machine_close(m);
	ptx_free(ptx);
}

/* --- observers --- */

typedef struct {
	Observer base;
	Str log;
	uint32_t forks, joins, blocks;
	uint64_t threads;
} Recorder;

static Observer *on_fork(Observer *self);
static void on_join(Observer *self, Observer *other) {
	Recorder *r = (Recorder *)self, *o = (Recorder *)other;
	r->joins++;
	r->blocks += o->blocks;
	r->threads += o->threads;
	str_add(&r->log, o->log.text ? o->log.text : "");
	str_free(&o->log);
	free(o);
}
static void on_block_begin(Observer *self, uint32_t block) {
	((Recorder *)self)->blocks++;
}
static void on_access(Observer *self, const Access *a) {
	str_addf(&((Recorder *)self)->log, "%s%s%u ",
			 a->kind == ACCESS_LOAD    ? "L"
			 : a->kind == ACCESS_STORE ? "S"
									   : "A",
			 ptx_space_name(a->space), a->width);
}
static void on_branch(Observer *self, const Branch *b) {
	str_addf(&((Recorder *)self)->log, "B%08x/%08x ", b->taken, b->active);
}
static void on_barrier(Observer *self, const Barrier *b) {
	str_addf(&((Recorder *)self)->log, "%s%u ", b->warp_only ? "W" : "Y", b->id);
}
static void on_fence(Observer *self, uint32_t instr, uint32_t block, uint32_t warp, uint32_t mask, PtxScope scope) {
	str_add(&((Recorder *)self)->log, "F ");
}
static void on_block_end(Observer *self, const BlockCounts *c) {
	((Recorder *)self)->threads += c->threads[0];
}
static const ObserverOps recorder_ops = {.fork = on_fork,
										 .join = on_join,
										 .block_begin = on_block_begin,
										 .access = on_access,
										 .branch = on_branch,
										 .barrier = on_barrier,
										 .fence = on_fence,
										 .block_end = on_block_end};
static Observer *on_fork(Observer *self) {
	Recorder *r = calloc(1, sizeof *r);
	r->base.ops = &recorder_ops;
	((Recorder *)self)->forks++;
	return &r->base;
}

static void what_observers_hear(void **state) {
	Err err = ERR_INIT;
	Machine *m = machine_open(gpu_find("H200", &err), 1);
	uint64_t addr;
	assert_true(machine_alloc(m, 4096, "x", &addr, &err));
	assert_true(machine_write(m, addr, (uint8_t[4096]){0}, 4096, &err));
	const char *text =
		KERNEL(".param .u64 a",
			   ".shared .align 4 .b8 s[128]; ld.param.u64 %l1, [a]; mov.u32 %r1, %tid.x; mul.wide.u32 %l2, %r1, 4;\n"
			   "add.s64 %l3, %l1, %l2; ld.global.u32 %r2, [%l3]; mov.u64 %l4, s; add.s64 %l5, %l4, %l2; st.shared.u32 "
			   "[%l5], %r2; bar.sync 0;\n"
			   "setp.lt.u32 %p1, %r1, 8; @%p1 bra L; ld.shared.u32 %r3, [s]; L: membar.gl; bar.warp.sync 0xffffffff; "
			   "red.global.add.u32 [%l1], 1;");
	PtxModule *ptx = ptx_parse(text, strlen(text), &err);
	if (!ptx) fail_msg("%s", err.what);
	EmuModule *module;
	assert_true(machine_load(m, ptx, &module, &err));
	Recorder r = {.base = {.ops = &recorder_ops}};
	Observer *observers[] = {&r.base};
	EmuLaunch launch = {
		.config = shape(1, 32), .params = &addr, .param_bytes = 8, .observers = observers, .nobservers = 1};
	LaunchOutcome outcome;
	assert_true(machine_launch(m, emu_kernel(module, "k"), &launch, &outcome, &err));
	assert_int_equal(outcome.status, LAUNCH_OK);
	assert_string_equal(r.log.text, "Lglobal4 Sshared4 Y0 B000000ff/ffffffff Lshared4 F W0 Aglobal4 ");
	assert_int_equal(r.forks, 1);
	assert_int_equal(r.joins, 1);
	assert_int_equal(r.blocks, 1);
	assert_int_equal(r.threads, 32);
	str_free(&r.log);
	machine_unload(m, module);
	machine_close(m);
	ptx_free(ptx);
}

/* Counters come out the same however many host threads there are, by line as in total. */
static void counting_alike(void **state) {
	const char *text = PTX_HEADER
		".visible .entry k(.param .u64 a) { .reg .b32 %r<8>; .reg .b64 %l<8>; .reg .pred %p<4>;\n.loc 1 3 0\n"
		"ld.param.u64 %l1, [a]; mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mad.lo.u32 %r3, %r2, 64, %r1;\n.loc 1 4 0\n"
		"mul.wide.u32 %l2, %r3, 8; add.s64 %l3, %l1, %l2; ld.global.u32 %r4, [%l3]; st.global.u32 [%l3+4], %r4; ret; "
		"}\n.file 1 \"a.cu\"\n";
	Counts totals[2];
	for (unsigned k = 0; k < 2; k++) {
		Err err = ERR_INIT;
		Machine *m = machine_open(gpu_find("H200", &err), k ? 4 : 1);
		uint64_t addr;
		assert_true(machine_alloc(m, 1 << 16, "x", &addr, &err));
		PtxModule *ptx = ptx_parse(text, strlen(text), &err);
		if (!ptx) fail_msg("%s", err.what);
		EmuModule *module;
		assert_true(machine_load(m, ptx, &module, &err));
		Counters *c = counters_new(machine_gpu(m));
		Observer *observers[] = {&c->base};
		EmuLaunch launch = {
			.config = shape(40, 64), .params = &addr, .param_bytes = 8, .observers = observers, .nobservers = 1};
		LaunchOutcome outcome;
		assert_true(machine_launch(m, emu_kernel(module, "k"), &launch, &outcome, &err));
		totals[k] = counters_total(c);
		size_t n;
		LineCounts *lines = counters_by_line(c, ptx, &n);
		assert_int_equal(n, 2);
		assert_string_equal(lines[0].file, "a.cu");
		assert_int_equal(lines[0].line, 3);
		assert_int_equal(lines[0].counts.warp_instructions, 4 * 80);
		assert_int_equal(lines[1].counts.warp_instructions, 5 * 80);
		assert_int_equal(lines[1].counts.global_load_sectors, 8 * 80);
		assert_true(lines[1].worst.valid);
		assert_int_equal(lines[1].worst.block, 0);
		assert_int_equal(lines[1].worst.cost, 8);
		assert_int_equal(lines[1].worst.ideal, 4);
		free(lines);
		counters_free(c);
		machine_close(m);
		ptx_free(ptx);
	}
	assert_memory_equal(&totals[0], &totals[1], sizeof totals[0]);
	assert_int_equal(totals[0].thread_instructions, 9 * 40 * 64);
}

static void handlers_are_there(void **state) {
	for (int id = H_none + 1; id < H_COUNT; id++)
		if (!handler((HandlerId)id)) fail_msg("handler %d is missing", id);
	assert_true(strlen(handler_isa()) > 0);
}

int main(void) {
	const struct CMUnitTest tests[] = {cmocka_unit_test(senseless),
									   cmocka_unit_test(too_much),
									   cmocka_unit_test(uncovered_instructions),
									   cmocka_unit_test(no_such_function),
									   cmocka_unit_test(time_limit),
									   cmocka_unit_test(a_limit_says_where_the_launch_was),
									   cmocka_unit_test(a_limit_ends_any_launch),
									   cmocka_unit_test(cancelled),
									   cmocka_unit_test(first_fault),
									   cmocka_unit_test(lanes_that_wait_keep_their_values),
									   cmocka_unit_test(what_observers_hear),
									   cmocka_unit_test(counting_alike),
									   cmocka_unit_test(handlers_are_there)};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("emu launch", tests, NULL, NULL);
}
