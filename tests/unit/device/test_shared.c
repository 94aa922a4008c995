/* An emulator's worker dies: what its buffers held is in memory that the prompt has, too. Contents survive, or are
 * named stale. */
#include "base/cancel.h"
#include "device_test.h"

#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static const Define sentinel = {.kind = DEFINE_SENTINEL};
static const Define iota = {.kind = DEFINE_IOTA};

enum { COUNT = 1000 };

typedef struct {
	Device *device;
	DeviceModule *module;
	Buffer defined, sent, written, flag; /* sent: uploaded; written: by a kernel; flag: what "forever" waits for */
} Lab;

static LaunchOutcome run(Lab *lab, const char *kernel, uint32_t threads, const Arg *args, uint32_t nargs) {
	return launch(lab->device, kernel_of(lab->device, lab->module, kernel), 1, threads, args, nargs);
}

static void increment(Lab *lab, Buffer buffer) {
	const Arg args[] = {arg_buffer(buffer), arg_int(COUNT)};
	assert_int_equal(run(lab, "increment", 1024, args, 2).status, LAUNCH_OK);
}

static void send(Lab *lab, Buffer buffer, int first) {
	int data[COUNT];
	Err err = ERR_INIT;
	for (int i = 0; i < COUNT; i++) data[i] = first + 3 * i;
	assert_done(device_upload(lab->device, buffer, 0, data, COUNT, &err), err);
}

static Lab open_lab(void) {
	Lab lab = {.device = open_device("emu")};
	lab.module = load_kernels(lab.device);
	lab.defined = make_buffer(lab.device, ELEM_I32, COUNT, "defined", iota);
	lab.sent = make_buffer(lab.device, ELEM_I32, COUNT, "sent", sentinel);
	lab.written = make_buffer(lab.device, ELEM_I32, COUNT, "written", iota);
	lab.flag = make_buffer(lab.device, ELEM_I32, 1, "flag", (Define){.kind = DEFINE_FILL, .value = 1});
	send(&lab, lab.sent, 100);
	increment(&lab, lab.written);
	return lab;
}

static bool is_stale(Device *device, Buffer buffer) {
	BufferInfo info;
	assert_true(device_buffer_info(device, buffer, &info, NULL));
	return info.stale;
}

static void assert_lost(Device *device, Buffer buffer, const char *name) {
	int x;
	Err err = ERR_INIT;
	assert_false(device_download(device, buffer, 0, &x, 1, &err));
	assert_int_equal(err.kind, ERR_FAULT);
	assert_text(err.what, name);
	assert_true(is_stale(device, buffer));
}

/* --- idle --------------------------------------------------------------------------------------------------------- */

static void killed_while_idle(void **state) {
	Lab lab = open_lab();
	for (int round = 1; round <= 3; round++) {
		kill_worker("emu");
		assert_int_equal(element(lab.device, lab.defined, 999), 999);
		assert_int_equal(element(lab.device, lab.sent, 10), 130);
		assert_int_equal(element(lab.device, lab.written, 999), 999 + round);
		kill_worker("emu");
		increment(&lab, lab.written); /* goes on from where it was */
	}
	assert_false(is_stale(lab.device, lab.written) || is_stale(lab.device, lab.sent));
	device_close(lab.device);
}

/* A fresh worker loads modules, whose variables take addresses, before it takes buffers at those they had. */
static void buffers_older_than_the_module(void **state) {
	Device *d = open_device("emu");
	Err err = ERR_INIT;
	Buffer first = make_buffer(d, ELEM_F32, 4, "first", iota), second = make_buffer(d, ELEM_F32, 4, "second", iota);
	DeviceModule *m = load_kernels(d);
	const Arg args[] = {arg_buffer(second)};
	float got[4];
	for (int round = 0; round < 3; round++) {
		kill_worker("emu");
		assert_int_equal(launch(d, kernel_of(d, m, "weigh"), 1, 4, args, 1).status, LAUNCH_OK);
		assert_done(device_download(d, second, 0, got, 4, &err), err);
		assert_true(got[3] == 4);
		assert_done(device_download(d, first, 0, got, 4, &err), err);
		assert_true(got[3] == 3);
		load_kernels(d); /* and one more */
	}
	device_close(d);
}

static void buffers_come_and_go_between_deaths(void **state) {
	Device *d = open_device("emu");
	DeviceModule *m = load_kernels(d);
	Buffer kept[8];
	for (int i = 0; i < 8; i++)
		kept[i] = make_buffer(d, ELEM_I32, COUNT * (size_t)(i + 1), "kept", (Define){.kind = DEFINE_IOTA, .value = i});
	for (int round = 0; round < 24; round++) {
		Buffer *b = &kept[round * 5 % 8];
		const Define next = {.kind = DEFINE_IOTA, .value = 100 + round};
		if (round % 3 == 0) kill_worker("emu");
		assert_true(device_free(d, *b, NULL));
		if (round % 3 == 1) kill_worker("emu");
		*b = make_buffer(d, ELEM_I32, COUNT, "kept", next);
		const Arg args[] = {arg_buffer(*b), arg_int(COUNT)};
		assert_int_equal(launch(d, kernel_of(d, m, "increment"), 1, 1024, args, 2).status, LAUNCH_OK);
		if (round % 3 == 2) kill_worker("emu");
		for (int i = 0; i < 8; i++) assert_true(element(d, kept[i], 1) == element(d, kept[i], 0) + 1);
		assert_int_equal(element(d, *b, 999), 100 + round + 999 + 1);
	}
	device_close(d);
}

static void variables_go_with_it_and_are_set_again(void **state) {
	Lab lab = open_lab();
	const float sent[] = {4, 3, 2, 1};
	uint32_t weights;
	float got[4];
	Err err = ERR_INIT;
	assert_done(device_symbol(lab.module, "weights", &weights, &err), err);
	assert_done(device_symbol_upload(lab.device, lab.module, weights, 0, sent, sizeof sent, &err), err);
	Buffer out = make_buffer(lab.device, ELEM_F32, 4, "out", sentinel);
	const Arg args[] = {arg_buffer(out)};
	kill_worker("emu");
	assert_int_equal(run(&lab, "weigh", 4, args, 1).status, LAUNCH_OK);
	kill_worker("emu");
	assert_done(device_download(lab.device, out, 0, got, 4, &err), err);
	assert_memory_equal(got, sent, sizeof sent);
	assert_int_equal(element(lab.device, lab.written, 0), 1);
	device_close(lab.device);
}

/* --- during an operation ------------------------------------------------------------------------------------------ */

static void killed_during_an_upload(void **state) {
	Lab lab = open_lab();
	const size_t count = 16 << 20;
	int *sent = malloc(count * sizeof *sent), *got = malloc(count * sizeof *got);
	Buffer b = make_buffer(lab.device, ELEM_I32, count, "b", sentinel);
	for (int round = 0; round < 8; round++) {
		Err err = ERR_INIT;
		for (size_t i = 0; i < count; i++) sent[i] = (int)i ^ round;
		pthread_t killer = kill_worker_in("emu", 0.001 * round);
		assert_done(device_upload(lab.device, b, 0, sent, count, &err), err);
		pthread_join(killer, NULL);
		assert_done(device_download(lab.device, b, 0, got, count, &err), err);
		assert_memory_equal(sent, got, count * sizeof *sent);
		increment(&lab, b);
		assert_int_equal(element(lab.device, b, 999), sent[999] + 1);
	}
	assert_int_equal(element(lab.device, lab.written, 999), 1000);
	free(sent);
	free(got);
	device_close(lab.device);
}

/* The piece a half-made buffer had in the pool is not left lying under the next one's address. */
static void killed_while_a_buffer_is_made(void **state) {
	Lab lab = open_lab();
	enum { MANY = 4 << 20 };
	int *got = malloc(MANY * sizeof *got);
	for (int round = 0; round < 12; round++) {
		Err err = ERR_INIT;
		Buffer b, next;
		pthread_t killer = kill_worker_in("emu", 0.0008 * round);
		assert_done(device_buffer(lab.device, ELEM_I32, MANY, "b", iota, &b, &err), err);
		pthread_join(killer, NULL);
		next = make_buffer(lab.device, ELEM_I32, MANY, "next", (Define){.kind = DEFINE_IOTA, .value = 7});
		increment(&lab, b);
		increment(&lab, next);
		assert_done(device_download(lab.device, b, 0, got, MANY, &err), err);
		for (int i = 0; i < MANY; i++)
			if (got[i] != i + (i < COUNT)) fail_msg("round %d: b[%d] is %d", round, i, got[i]);
		assert_done(device_download(lab.device, next, 0, got, MANY, &err), err);
		for (int i = 0; i < MANY; i++)
			if (got[i] != 7 + i + (i < COUNT)) fail_msg("round %d: next[%d] is %d", round, i, got[i]);
		assert_done(device_free(lab.device, b, &err), err);
		assert_done(device_free(lab.device, next, &err), err);
	}
	/* and nothing of the pool is lost: the lab's four buffers have a page each */
	Err err = ERR_INIT;
	Buffer large;
	assert_false(
		device_buffer(lab.device, ELEM_U8, device_info(lab.device)->memory_bytes, "large", sentinel, &large, &err));
	assert_text(err.what, " 16384 in use");
	free(got);
	device_close(lab.device);
}

/* increment(buffer), then what never ends: in one submission, so that the buffer is one it may write to. */
static void killed_in_the_middle_of(Lab *lab, SubmitMode mode, Buffer buffer) {
	const Arg add[] = {arg_buffer(buffer), arg_int(COUNT)}, wait[] = {arg_buffer(lab->flag)};
	const LaunchConfig wide = {.grid = {1, 1, 1}, .block = {1024, 1, 1}};
	const LaunchItem items[] = {
		{.launch =
			 {.kernel = kernel_of(lab->device, lab->module, "increment"), .config = wide, .args = add, .nargs = 2}},
		{.launch = {
			 .kernel = kernel_of(lab->device, lab->module, "forever"), .config = wide, .args = wait, .nargs = 1}}};
	const Gpu *models[] = {gpu_default()};
	const Ask ask = {.mode = mode, .rules = models[0], .models = models, .nmodels = 1, .checks = CHECK_ALL};
	Answer answer = {0};
	Err err = ERR_INIT;
	pthread_t killer = kill_worker_in("emu", 0.1);
	assert_done(device_submit(lab->device, &(LaunchList){.items = items, .nitems = 2}, &ask, &answer, &err), err);
	pthread_join(killer, NULL);
	assert_int_equal(answer.outcome.status, LAUNCH_FAULT);
	assert_int_equal(answer.outcome.fault.kind, FAULT_UNKNOWN);
	assert_text(answer.outcome.message, "signal 9");
	if (mode != MODE_RUN) assert_int_equal(answer.nitems, 2); /* rows all the same */
	answer_free(&answer);
}

/* What the launch may write to is filled again if it can be, else stale; all else is as it was. */
static void killed_during(SubmitMode mode) {
	Lab lab = open_lab();
	Device *d = lab.device;
	killed_in_the_middle_of(&lab, mode, lab.defined);
	assert_int_equal(element(d, lab.defined, 999), 999);
	assert_false(is_stale(d, lab.defined) || is_stale(d, lab.sent) || is_stale(d, lab.written));
	assert_int_equal(element(d, lab.sent, 999), 100 + 3 * 999);
	assert_int_equal(element(d, lab.written, 999), 1000);

	killed_in_the_middle_of(&lab, mode, lab.written);
	assert_lost(d, lab.written, "'written'");
	const Arg add[] = {arg_buffer(lab.written), arg_int(COUNT)};
	assert_text(launch_refused(d, kernel_of(d, lab.module, "increment"), 1, 32, add, 2).what, "'written'");
	assert_true(device_define(d, lab.written, iota, NULL));
	assert_int_equal(element(d, lab.written, 5), 5);

	killed_in_the_middle_of(&lab, mode, lab.sent);
	assert_lost(d, lab.sent, "'sent'");
	send(&lab, lab.sent, 7);
	increment(&lab, lab.sent);
	assert_int_equal(element(d, lab.sent, 1), 11);
	assert_int_equal(element(d, lab.defined, 999), 999);
	assert_int_equal(element(d, lab.flag, 0), 1);
	device_close(d);
}

static void killed_during_a_count(void **state) {
	killed_during(MODE_COUNT);
}

static void killed_during_a_check(void **state) {
	killed_during(MODE_CHECK);
}

/* Run one by one: the first launch had ended, and what it wrote is kept. */
static void killed_during_a_launch(void **state) {
	Lab lab = open_lab();
	killed_in_the_middle_of(&lab, MODE_RUN, lab.written);
	assert_false(is_stale(lab.device, lab.written));
	assert_int_equal(element(lab.device, lab.written, 999), 1001);
	increment(&lab, lab.written);
	assert_int_equal(element(lab.device, lab.written, 999), 1002);
	device_close(lab.device);
}

/* --- at any moment ------------------------------------------------------------------------------------------------ */

typedef struct {
	int base, added; /* element i is base + i + added */
	bool definable;  /* its definition says what it holds */
	bool lost;
} Known;

static void check_known(Lab *lab, Buffer b, const Known *known) {
	if (known->lost) {
		assert_lost(lab->device, b, "'written'");
		return;
	}
	int got[COUNT];
	Err err = ERR_INIT;
	assert_done(device_download(lab->device, b, 0, got, COUNT, &err), err);
	for (int i = 0; i < COUNT; i++)
		if (got[i] != known->base + i + known->added)
			fail_msg("[%d] is %d, not %d + %d", i, got[i], known->base + i, known->added);
}

static void define_it(Lab *lab, Known *known, int round) {
	Err err = ERR_INIT;
	*known = (Known){.base = round, .definable = true};
	assert_done(device_define(lab->device, lab->written, (Define){.kind = DEFINE_IOTA, .value = round}, &err), err);
}

static void send_it(Lab *lab, Known *known, int round) {
	int data[COUNT];
	Err err = ERR_INIT;
	*known = (Known){.base = 7 * round};
	for (int i = 0; i < COUNT; i++) data[i] = known->base + i;
	assert_done(device_upload(lab->device, lab->written, 0, data, COUNT, &err), err);
}

/* True: the worker died in it. */
static bool launch_it(Lab *lab, Known *known, SubmitMode mode, bool rehearse) {
	const Arg args[] = {arg_buffer(lab->written), arg_int(COUNT)};
	const Launch call = {.kernel = kernel_of(lab->device, lab->module, "increment"),
						 .config = {.grid = {8, 1, 1}, .block = {128, 1, 1}},
						 .args = args,
						 .nargs = 2};
	const Ask ask = {.mode = mode, .rules = gpu_default(), .checks = CHECK_ALL, .rehearse = rehearse};
	Answer answer = {0};
	Err err = ERR_INIT;
	if (known->lost) return false;
	if (!device_submit(lab->device, LIST_OF(&call), &ask, &answer, &err)) { /* died just before: nothing ran */
		assert_int_equal(err.kind, ERR_SETUP);
		return true;
	}
	const LaunchStatus status = answer.outcome.status;
	answer_free(&answer);
	assert_true(status == LAUNCH_OK || status == LAUNCH_FAULT);
	if (status == LAUNCH_OK) {
		known->added += !rehearse;
		known->definable &= rehearse && mode == MODE_CHECK; /* which leaves nothing, not even a note */
	} else if (!known->definable) {
		known->lost = true;
	}
	return status != LAUNCH_OK;
}

static void killed_at_any_moment(void **state) {
	Lab lab = open_lab();
	Known known = {.added = 1};
	uint64_t random = 20261122;
	for (int round = 0; round < 50; round++) {
		pthread_t killer = kill_worker_in("emu", 1e-6 * (double)(next_random(&random) % 4000));
		const size_t steps = 4 + next_random(&random) % 8;
		for (size_t i = 0; i < steps; i++) {
			switch (next_random(&random) % 8) {
			case 0: define_it(&lab, &known, round); break;
			case 1: send_it(&lab, &known, round); break;
			case 2: launch_it(&lab, &known, MODE_COUNT, false); break;
			case 3: launch_it(&lab, &known, MODE_CHECK, false); break;
			case 4: launch_it(&lab, &known, MODE_CHECK, true); break;
			case 5: check_known(&lab, lab.written, &known); break;
			default: launch_it(&lab, &known, MODE_RUN, false);
			}
		}
		pthread_join(killer, NULL);
		check_known(&lab, lab.written, &known);
		if (known.lost) define_it(&lab, &known, round);
		launch_it(&lab, &known, MODE_RUN, false); /* perhaps the first to notice the death */
		check_known(&lab, lab.written, &known);
		assert_int_equal(element(lab.device, lab.defined, 998), 998);
		assert_int_equal(element(lab.device, lab.sent, 10), 130);
	}
	device_close(lab.device);
}

/* --- what is told through the memory ------------------------------------------------------------------------------ */

static void *cancel_later(void *user) {
	usleep(50000);
	atomic_store(&cancel_flag, true);
	return NULL;
}

/* The loop ends by itself in the moment of grace, so the worker lives on; on a crowded machine perhaps not at the first
 * try. */
static void a_cancel_reaches_the_kernel(void **state) {
	bool unharmed = false;
	for (int tries = 0; tries < 10 && !unharmed; tries++) {
		Lab lab = open_lab();
		const Arg args[] = {arg_buffer(lab.flag)};
		const pid_t before = worker_of("emu");
		pthread_t thread;
		assert_int_equal(pthread_create(&thread, NULL, cancel_later, NULL), 0);
		const LaunchOutcome o = run(&lab, "forever", 32, args, 1);
		pthread_join(thread, NULL);
		atomic_store(&cancel_flag, false);
		assert_int_equal(o.status, LAUNCH_INTERRUPTED);
		increment(&lab, lab.written); /* the flag in the memory is down again */
		assert_int_equal(element(lab.device, lab.written, 999), 1001);
		assert_int_equal(element(lab.device, lab.sent, 10), 130);
		unharmed = worker_of("emu") == before;
		device_close(lab.device);
	}
	assert_true(unharmed);
}

/* The first piece is in the memory already when the worker, which does not answer, is given up. */
static void an_upload_that_is_interrupted_is_stale(void **state) {
	enum { MANY = 4 << 20 };
	Lab lab = open_lab();
	int *data = calloc(MANY, sizeof *data);
	Buffer b = make_buffer(lab.device, ELEM_I32, MANY, "half", iota);
	Err err = ERR_INIT;
	pthread_t thread;
	kill(worker_of("emu"), SIGSTOP);
	assert_int_equal(pthread_create(&thread, NULL, cancel_later, NULL), 0);
	assert_false(device_upload(lab.device, b, 0, data, MANY, &err));
	pthread_join(thread, NULL);
	atomic_store(&cancel_flag, false);
	assert_int_equal(err.kind, ERR_INTERRUPTED);
	assert_lost(lab.device, b, "'half'");
	assert_int_equal(element(lab.device, lab.written, 999), 1000);
	assert_true(device_upload(lab.device, b, 0, data, MANY, NULL));
	assert_int_equal(element(lab.device, b, MANY - 1), 0);
	free(data);
	device_close(lab.device);
}

int main(int argc, char **argv) {
	int status = maybe_worker(argc, argv);
	if (status >= 0) return status;
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(killed_while_idle),
		cmocka_unit_test(buffers_older_than_the_module),
		cmocka_unit_test(buffers_come_and_go_between_deaths),
		cmocka_unit_test(variables_go_with_it_and_are_set_again),
		cmocka_unit_test(killed_during_an_upload),
		cmocka_unit_test(killed_while_a_buffer_is_made),
		cmocka_unit_test(killed_during_a_launch),
		cmocka_unit_test(killed_during_a_count),
		cmocka_unit_test(killed_during_a_check),
		cmocka_unit_test(killed_at_any_moment),
		cmocka_unit_test(a_cancel_reaches_the_kernel),
		cmocka_unit_test(an_upload_that_is_interrupted_is_stale),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
