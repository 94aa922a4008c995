/* What findings say: places, threads, names, counts. Which kernels are found wrong is tests/checks' part. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/str.h"
#include "emu/check/check.h"
#include "emu/check/checker.h"
#include "emu/machine.h"
#include "nvrtc.h"

typedef struct {
	PtxModule *ptx;
	Machine *machine;
	EmuModule *module;
	uint64_t out, in;
} Bench;

static Bench *open_bench(const char *gpu, unsigned threads) {
	static Bench b;
	Err err = ERR_INIT;
	char *text = nvrtc_ptx(GPULAB_SOURCE_ROOT "/tests/unit/emu/checks.cu", OLDER_GENERATOR, NULL);
	b.ptx = ptx_parse(text, strlen(text), &err);
	assert_non_null(b.ptx);
	free(text);
	b.machine = machine_open(gpu_find(gpu, NULL), threads);
	assert_true(machine_load(b.machine, b.ptx, &b.module, &err));
	assert_true(machine_alloc(b.machine, 256, "out", &b.out, &err));
	assert_true(machine_alloc(b.machine, 256, "in", &b.in, &err));
	machine_track_fresh(b.machine, b.out);
	machine_track_fresh(b.machine, b.in);
	return &b;
}

static void close_bench(Bench *b) {
	machine_close(b->machine);
	ptx_free(b->ptx);
}

static LaunchOutcome launch(Bench *b, CheckSet *set, const char *kernel, uint32_t grid, uint32_t block,
							uint64_t second) {
	Err err = ERR_INIT;
	LaunchOutcome outcome;
	const uint64_t params[2] = {b->out, second};
	EmuLaunch call = {.config = {.grid = {grid, 1, 1}, .block = {block, 1, 1}}, .params = params};
	const EmuKernel *k = emu_kernel(b->module, kernel);
	assert_non_null(k);
	call.param_bytes = emu_kernel_function(k)->param_bytes;
	call.observers = checks_observers(set, &call.nobservers);
	assert_true(machine_launch(b->machine, k, &call, &outcome, &err));
	return outcome;
}

static const Finding *only(const CheckSet *set) {
	size_t n;
	const Finding *f = checks_findings(set, &n);
	assert_int_equal(n, 1);
	return f;
}

static void a_race_names_both_sides(void **unused) {
	(void)unused;
	Bench *b = open_bench("H200", 2);
	CheckSet *set = checks_new(machine_gpu(b->machine), CHECK_RACE);
	launch(b, set, "swap_sides", 1, 64, 0);
	close_bench(b); /* findings outlive the machine */
	const Finding *f = only(set);
	assert_int_equal(f->check, CHECK_RACE);
	assert_int_equal(f->nsites, 2);
	/* Warp 0 read what warp 1 has yet to write, so warp 1's store shows it. */
	assert_int_equal(f->site[0].line, 5);
	assert_int_equal(f->site[1].line, 6);
	assert_string_equal(f->site[0].access, "store");
	assert_string_equal(f->site[1].access, "load");
	assert_true(text_ends(f->site[0].file, "checks.cu"));
	assert_true(f->site[0].known && f->site[1].known);
	assert_int_equal(f->site[0].thread[0] + f->site[1].thread[0], 63);
	assert_string_equal(f->space, "shared");
	assert_string_equal(f->buffer, "side");
	assert_int_equal(f->buffer_bytes, 256);
	assert_int_equal(f->offset, 4 * f->site[0].thread[0]);
	assert_int_equal(f->width, 4);
	assert_int_equal(f->count, 64);
	assert_non_null(strstr(f->message, "nothing orders the two"));
	assert_true(*f->hint);
	checks_free(set);
}

static void warps_ran_in_step_before_volta(void **unused) {
	(void)unused;
	static const char *const gpus[] = {"GTX 280", "H200"};
	for (unsigned i = 0; i < 2; i++) {
		Bench *b = open_bench(gpus[i], 1);
		CheckSet *set = checks_new(machine_gpu(b->machine), CHECK_RACE);
		size_t n;
		launch(b, set, "in_step", 1, 32, 0);
		checks_findings(set, &n);
		assert_int_equal(n, i);
		checks_free(set);
		close_bench(b);
	}
}

static void an_overrun_names_the_array_meant(void **unused) {
	(void)unused;
	Bench *b = open_bench("H200", 2);
	CheckSet *set = checks_new(machine_gpu(b->machine), CHECK_MEMORY);
	assert_int_equal(launch(b, set, "overrun", 1, 8, 8).status, LAUNCH_OK);
	const Finding *f = only(set);
	assert_int_equal(f->site[0].line, 22);
	assert_int_equal(f->site[0].thread[0], 3);
	assert_string_equal(f->buffer, "first");
	assert_int_equal(f->offset, 32);
	assert_int_equal(f->buffer_bytes, 32);
	assert_non_null(strstr(f->message, "it hit second"));
	launch(b, set, "overrun", 1, 8, 7); /* inside: and the launch before is forgotten */
	size_t n;
	checks_findings(set, &n);
	assert_int_equal(n, 0);
	checks_free(set);
	close_bench(b);
}

/* Whichever of two host threads ran the first block, and whichever is asked first. */
static void the_first_block_is_named(void **unused) {
	(void)unused;
	Bench *b = open_bench("H200", 1);
	Checker *c = memory_checker_new(machine_gpu(b->machine));
	Observer *self = &c->base, *forks[2];
	for (unsigned i = 0; i < 2; i++) {
		Fault fault = {.kind = FAULT_OUT_OF_BOUNDS, .located = true, .threads = 16, .line = 7, .block = {1 - i, 0, 0}};
		snprintf(fault.message, sizeof fault.message, "block %u", 1 - i);
		forks[i] = self->ops->fork(self);
		self->ops->bad_access(forks[i], &fault);
	}
	for (unsigned i = 0; i < 2; i++) self->ops->join(self, forks[i]);
	assert_int_equal(c->findings.len, 1);
	assert_int_equal(c->findings.data[0].count, 32);
	assert_string_equal(c->findings.data[0].message, "block 0");
	checker_free(c);
	close_bench(b);
}

static void a_fault_is_a_finding(void **unused) {
	(void)unused;
	Bench *b = open_bench("H200", 2);
	CheckSet *set = checks_new(machine_gpu(b->machine), CHECK_ALL);
	assert_int_equal(launch(b, set, "fresh", 1, 32, 0).status, LAUNCH_FAULT);
	const Finding *f = only(set);
	assert_int_equal(f->check, CHECK_MEMORY);
	assert_int_equal(f->site[0].line, 29);
	checks_free(set);
	close_bench(b);
}

static void what_the_host_wrote_is_written(void **unused) {
	(void)unused;
	Bench *b = open_bench("H200", 2);
	CheckSet *set = checks_new(machine_gpu(b->machine), CHECK_INIT);
	const int zeros[64] = {0};
	assert_true(machine_write(b->machine, b->in, zeros, 20 * sizeof(int), NULL));
	launch(b, set, "fresh", 1, 32, b->in);
	const Finding *f = only(set);
	assert_int_equal(f->site[0].line, 29);
	assert_int_equal(f->site[0].thread[0], 20);
	assert_int_equal(f->count, 12);
	assert_string_equal(f->buffer, "in");
	assert_int_equal(f->offset, 80);
	assert_true(machine_write(b->machine, b->in, zeros, sizeof zeros, NULL));
	launch(b, set, "fresh", 1, 32, b->in);
	size_t n;
	checks_findings(set, &n);
	assert_int_equal(n, 0);
	checks_free(set);
	close_bench(b);
}

static void once_for_all_blocks(void **unused) {
	(void)unused;
	Bench *b = open_bench("H200", 2);
	CheckSet *set = checks_new(machine_gpu(b->machine), CHECK_SYNC);
	launch(b, set, "leave_early", 5, 64, 10);
	const Finding *f = only(set);
	assert_int_equal(f->site[0].line, 36);
	assert_int_equal(f->count, 5);
	assert_non_null(strstr(f->message, "54 of the block's 64 threads"));
	checks_free(set);
	close_bench(b);
}

static void blocks_in_one_cell(void **unused) {
	(void)unused;
	Bench *b = open_bench("H200", 2);
	CheckSet *set = checks_new(machine_gpu(b->machine), CHECK_RACE | CHECK_UNUSED);
	launch(b, set, "one_cell", 4, 1, 0);
	const Finding *f = only(set);
	assert_int_equal(f->count, 3);
	assert_int_equal(f->site[0].block[0], 1);
	assert_int_equal(f->site[1].block[0], 0);
	assert_string_equal(f->buffer, "out");
	checks_free(set);
	close_bench(b);
}

static void nothing_asked_nothing_found(void **unused) {
	(void)unused;
	Bench *b = open_bench("H200", 2);
	CheckSet *set = checks_new(machine_gpu(b->machine), 0);
	size_t n;
	launch(b, set, "swap_sides", 1, 64, 0);
	checks_findings(set, &n);
	assert_int_equal(n, 0);
	checks_free(set);
	close_bench(b);
}

static void lists_of_checks(void **unused) {
	(void)unused;
	unsigned flags = 77;
	Err err = ERR_INIT;
	assert_true(checks_parse("race,init", &flags, &err));
	assert_int_equal(flags, CHECK_RACE | CHECK_INIT);
	assert_true(checks_parse("all", &flags, &err));
	assert_int_equal(flags, CHECK_ALL);
	assert_false(checks_parse("race,rice", &flags, &err));
	assert_int_equal(err.kind, ERR_USAGE);
	assert_non_null(strstr(err.what, "rice"));
	assert_int_equal(flags, CHECK_ALL); /* untouched */
	assert_false(checks_parse("", &flags, &err));
	assert_false(checks_parse("race,", &flags, &err));
	assert_false(checks_parse(",race", &flags, NULL));
	char lengthy[300];
	memset(lengthy, 'x', sizeof lengthy - 1);
	lengthy[sizeof lengthy - 1] = '\0';
	assert_false(checks_parse(lengthy, &flags, &err));
	assert_string_equal(check_name(CHECK_UNUSED), "unused");
}

int main(int argc, char **argv) {
	nvrtc_begin(argc, argv);
	const struct CMUnitTest tests[] = {cmocka_unit_test(a_race_names_both_sides),
									   cmocka_unit_test(warps_ran_in_step_before_volta),
									   cmocka_unit_test(an_overrun_names_the_array_meant),
									   cmocka_unit_test(a_fault_is_a_finding),
									   cmocka_unit_test(the_first_block_is_named),
									   cmocka_unit_test(what_the_host_wrote_is_written),
									   cmocka_unit_test(once_for_all_blocks),
									   cmocka_unit_test(blocks_in_one_cell),
									   cmocka_unit_test(nothing_asked_nothing_found),
									   cmocka_unit_test(lists_of_checks)};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
