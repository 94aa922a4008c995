/* Everything that can happen to a worker, with the fake GPU of fake.c behind the real process and the real wire. */
#include "device_test.h"

#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "base/cancel.h"
#include "base/limits.h"
#include "base/str.h"

static const Define sentinel = {.kind = DEFINE_SENTINEL};
static const Define iota = {.kind = DEFINE_IOTA};

typedef struct {
	Device *device;
	DeviceModule *module;
} Lab;

static Lab open_lab(void) {
	Lab lab = {.device = open_device("worker:fake")};
	lab.module = load_kernels(lab.device);
	return lab;
}

static LaunchOutcome run(Lab *lab, const char *kernel, uint32_t threads, const Arg *args, uint32_t nargs) {
	return launch(lab->device, kernel_of(lab->device, lab->module, kernel), 1, threads, args, nargs);
}

/* --- death -------------------------------------------------------------------------------------------------------- */

static void killed_while_idle(void **state) {
	Lab lab = open_lab();
	Buffer b = make_buffer(lab.device, ELEM_I32, 1000, "b", iota),
		   data = make_buffer(lab.device, ELEM_I32, 3, "data", sentinel);
	const int sent[] = {5, 6, 7};
	assert_true(device_upload(lab.device, data, 0, sent, 3, NULL));
	for (int round = 0; round < 3; round++) {
		kill(worker_of("fake"), SIGKILL);
		assert_int_equal(element(lab.device, b, 999), 999); /* filled again from its definition */
		assert_int_equal(element(lab.device, data, 2), 7);  /* and from the copy of what was uploaded */
	}
	device_close(lab.device);
}

/* The key stays here. A GPU that does not run the kernel (the fake one) is not asked again, and nothing else
 * suffers. */
static void digests_outlive_a_worker(void **state) {
	enum { COUNT = 1 << 19 };
	Digest before = {{0}}, after = {{0}};
	Device *d = open_device("worker:fake:emu");
	Buffer b = make_buffer(d, ELEM_I32, COUNT, "b", iota);
	assert_true(device_digest(d, b, &before));
	kill(worker_of("fake:emu"), SIGKILL);
	assert_true(device_digest(d, b, &after));
	assert_memory_equal(&before, &after, sizeof before);
	device_close(d);
	Lab lab = open_lab();
	b = make_buffer(lab.device, ELEM_I32, COUNT, "b", iota);
	for (int i = 0; i < 2; i++) assert_false(device_digest(lab.device, b, &after));
	assert_int_equal(element(lab.device, b, COUNT - 1), COUNT - 1);
	device_close(lab.device);
}

static void part_of_an_upload_survives_too(void **state) {
	Lab lab = open_lab();
	Buffer b = make_buffer(lab.device, ELEM_I32, 10, "b", iota);
	const int nine = 9;
	assert_true(device_upload(lab.device, b, 3, &nine, 1, NULL));
	kill(worker_of("fake"), SIGKILL);
	assert_int_equal(element(lab.device, b, 2), 2);
	assert_int_equal(element(lab.device, b, 3), 9);
	device_close(lab.device);
}

/* From the second filling on the content is copied on the device; a kernel's writes and a worker's death change nothing
 * of it. */
static void filled_again_and_again(void **state) {
	Lab lab = open_lab();
	const Define random = {.kind = DEFINE_RANDOM, .seed = 7};
	Buffer a = make_buffer(lab.device, ELEM_I32, 5000, "a", iota),
		   b = make_buffer(lab.device, ELEM_I32, 5000, "b", random),
		   c = make_buffer(lab.device, ELEM_I32, 5001, "c", iota);
	const int first = element(lab.device, b, 4999);
	const Arg args[] = {arg_buffer(a), arg_int(5000)};
	for (int round = 0; round < 4; round++) {
		assert_true(device_define(lab.device, a, iota, NULL));
		assert_true(device_define(lab.device, b, random, NULL));
		assert_true(device_define(lab.device, c, iota, NULL));
		assert_int_equal(element(lab.device, a, 100), 100);
		assert_int_equal(element(lab.device, b, 4999), first);
		assert_int_equal(element(lab.device, c, 5000), 5000);
		assert_int_equal(run(&lab, "increment", 160, args, 2).status, LAUNCH_OK);
		assert_int_equal(element(lab.device, a, 100), 101);
		if (round == 2) kill(worker_of("fake"), SIGKILL);
	}
	device_close(lab.device);
}

/* What is only kept makes room for what is asked for. */
static void kept_contents_make_room(void **state) {
	Lab lab = open_lab();
	const size_t most = device_info(lab.device)->memory_bytes / 40;
	for (int i = 0; i < 4; i++) {
		const Define value = {.kind = DEFINE_IOTA, .value = i};
		Buffer b = make_buffer(lab.device, ELEM_I32, most / 4, "b", value);
		assert_true(device_define(lab.device, b, value, NULL));
		assert_int_equal(element(lab.device, b, 5), 5 + i);
		assert_true(device_free(lab.device, b, NULL));
	}
	device_close(lab.device);
}

static void killed_during_a_launch(void **state) {
	Lab lab = open_lab();
	Buffer flag = make_buffer(lab.device, ELEM_I32, 1, "flag", iota);
	const Arg args[] = {arg_buffer(flag)}, fine[] = {arg_buffer(flag), arg_int(1)};
	pthread_t killer = kill_worker_in("fake", 0.05);
	LaunchOutcome o = run(&lab, "forever", 1, args, 1);
	pthread_join(killer, NULL);
	assert_int_equal(o.status, LAUNCH_FAULT);
	assert_int_equal(o.fault.kind, FAULT_UNKNOWN);
	assert_text(o.message, "signal 9");
	assert_int_equal(run(&lab, "increment", 1, fine, 2).status, LAUNCH_OK);
	assert_int_equal(element(lab.device, flag, 0), 1);
	device_close(lab.device);
}

static void killed_during_an_upload(void **state) {
	Lab lab = open_lab();
	const size_t count = 16 << 20;
	int *sent = malloc(count * sizeof *sent);
	for (size_t i = 0; i < count; i++) sent[i] = (int)i ^ 0x55;
	Buffer b = make_buffer(lab.device, ELEM_I32, count, "b", sentinel);
	for (int round = 0; round < 4; round++) {
		Err err = ERR_INIT;
		pthread_t killer = kill_worker_in("fake", 0.003 * (round + 1));
		assert_done(device_upload(lab.device, b, 0, sent, count, &err), err); /* tried again on a fresh worker */
		pthread_join(killer, NULL);
		assert_int_equal(element(lab.device, b, count - 1), sent[count - 1]);
		assert_int_equal(element(lab.device, b, 12345), sent[12345]);
	}
	free(sent);
	device_close(lab.device);
}

static void killed_during_a_download(void **state) {
	Lab lab = open_lab();
	const size_t count = 16 << 20;
	int *got = malloc(count * sizeof *got);
	Buffer b = make_buffer(lab.device, ELEM_I32, count, "b", iota);
	for (int round = 0; round < 4; round++) {
		Err err = ERR_INIT;
		pthread_t killer = kill_worker_in("fake", 0.003 * (round + 1));
		assert_done(device_download(lab.device, b, 0, got, count, &err), err);
		pthread_join(killer, NULL);
		for (size_t i = 0; i < count; i += 1000) assert_int_equal(got[i], (int)i);
		assert_int_equal(element(lab.device, b, 7), 7); /* on a fresh one, if it died after the download */
	}
	free(got);
	device_close(lab.device);
}

/* Gone, or a zombie that nobody waits for. */
static bool has_ended(pid_t pid) {
	char path[64], state = 'Z';
	snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
	FILE *f = fopen(path, "r");
	if (!f) return true;
	if (fscanf(f, "%*d (%*[^)]) %c", &state) != 1) state = 'Z';
	fclose(f);
	return state == 'Z' || state == 'X';
}

static void a_worker_ends_with_its_parent(void **state) {
	int ends[2];
	pid_t pid = 0;
	assert_int_equal(pipe(ends), 0);
	pid_t parent = fork();
	assert_true(parent >= 0);
	if (parent == 0) {
		Device *device;
		if (!device_open("worker:fake", &device, NULL)) _exit(1);
		pid = (pid_t)atoi(device_info(device)->driver);
		if (write(ends[1], &pid, sizeof pid) != sizeof pid) _exit(1);
		_exit(0); /* no device_close: as a crash would */
	}
	assert_int_equal(read(ends[0], &pid, sizeof pid), sizeof pid);
	assert_true(proc_wait(parent, 1e6, NULL));
	while (!has_ended(pid)) usleep(1000);
	close(ends[0]);
	close(ends[1]);
}

/* What the terminal's Ctrl-C reaches is the foreground group, and descriptors of ours are none of its business. */
static void a_worker_stands_apart(void **state) {
	char path[64], target[64];
	int kept = dup(0); /* without close-on-exec */
	Lab lab = open_lab();
	const pid_t pid = worker_of("fake");
	assert_int_equal(getpgid(pid), pid);
	assert_int_not_equal(getpgid(pid), getpgrp());
	snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)pid, kept > 3 ? kept : 4);
	assert_true(readlink(path, target, sizeof target) < 0);
	close(kept);
	device_close(lab.device);
}

static void a_worker_that_dies_twice_is_an_error(void **state) {
	Lab lab = open_lab();
	Buffer b, other = make_buffer(lab.device, ELEM_I32, 4, "other", iota);
	Err err = ERR_INIT;
	assert_false(device_buffer(lab.device, ELEM_I32, 4, "kill me", sentinel, &b, &err));
	assert_int_equal(err.kind, ERR_SETUP);
	assert_text(err.what, "signal 9");
	assert_false(device_buffer(lab.device, ELEM_I32, 4, "last words", sentinel, &b, &err));
	assert_text(err.what, "status 3");
	assert_text(err.what, "the bus is on fire");
	assert_int_equal(element(lab.device, other, 3), 3); /* and all is well again */
	device_close(lab.device);
}

/* A fault of the context that shows in a call other than a launch. */
static void a_worker_whose_gpu_broke_is_replaced(void **state) {
	Lab lab = open_lab();
	Buffer defined = make_buffer(lab.device, ELEM_I32, 4, "defined", iota),
		   written = make_buffer(lab.device, ELEM_I32, 4, "written", iota), b;
	const Arg args[] = {arg_buffer(written), arg_int(4)};
	const pid_t before = worker_of("fake");
	Err err = ERR_INIT;
	int value;
	assert_int_equal(run(&lab, "increment", 4, args, 2).status, LAUNCH_OK);
	assert_false(device_buffer(lab.device, ELEM_I32, 4, "break me", sentinel, &b, &err));
	assert_text(err.what, "illegal memory access");
	assert_int_equal(element(lab.device, defined, 3), 3);
	assert_int_not_equal(worker_of("fake"), before);
	assert_false(device_download(lab.device, written, 0, &value, 1, &err));
	assert_text(err.what, "'written'");
	assert_int_equal(run(&lab, "increment", 4, (const Arg[]){arg_buffer(defined), arg_int(4)}, 2).status, LAUNCH_OK);
	assert_int_equal(element(lab.device, defined, 3), 4);
	device_close(lab.device);
}

static void workers_that_never_were(void **state) {
	Device *d = NULL;
	Err err = ERR_INIT;
	assert_false(device_open("worker:fake:no", &d, &err));
	assert_text(err.what, "status 7");
	assert_false(device_open("worker:fake:mad:noise:open", &d, &err));
	assert_text(err.what, "invalid message");
	assert_false(device_open("worker:cuda:999", &d, &err)); /* with a GPU as without one */
	assert_int_equal(err.kind, ERR_SETUP);
	assert_true(*err.hint);
	setenv("GPULAB_WORKER", "/nowhere/gpulab", 1);
	assert_false(device_open("worker:fake", &d, &err));
	assert_text(err.what, "/nowhere/gpulab");
	setenv("GPULAB_WORKER", "/bin/true", 1);
	assert_false(device_open("worker:fake", &d, &err));
	assert_int_equal(err.kind, ERR_SETUP);
	unsetenv("GPULAB_WORKER");
	assert_null(d);
}

/* --- hanging ------------------------------------------------------------------------------------------------------ */

static void a_hung_kernel_times_out(void **state) {
	Lab lab = open_lab();
	Buffer flag = make_buffer(lab.device, ELEM_I32, 1, "flag", iota);
	const Arg args[] = {arg_buffer(flag)}, fine[] = {arg_buffer(flag), arg_int(1)};
	const pid_t before = worker_of("fake");
	LaunchOutcome o;
	Err err = ERR_INIT;
	const Launch call = {.kernel = kernel_of(lab.device, lab.module, "forever"),
						 .config = {.grid = {1, 1, 1}, .block = {1, 1, 1}, .timeout_ms = 150},
						 .args = args,
						 .nargs = 1};
	assert_done(run_launch(lab.device, &call, &o, &err), err);
	assert_int_equal(o.status, LAUNCH_TIMEOUT);
	assert_text(o.message, "did not answer for 6.5 s"); /* it sleeps: ten times its limit, and a little more */
	assert_int_not_equal(kill(before, 0), 0);           /* ended, and waited for */
	assert_int_equal(run(&lab, "increment", 1, fine, 2).status, LAUNCH_OK);
	device_close(lab.device);
}

static void *cancel_later(void *user) {
	usleep(50000);
	atomic_store(&cancel_flag, true);
	return NULL;
}

static void a_cancel_ends_a_hung_kernel(void **state) {
	Lab lab = open_lab();
	pthread_t thread;
	Buffer flag = make_buffer(lab.device, ELEM_I32, 1, "flag", iota);
	const Arg args[] = {arg_buffer(flag)}, fine[] = {arg_buffer(flag), arg_int(1)};
	assert_int_equal(pthread_create(&thread, NULL, cancel_later, NULL), 0);
	LaunchOutcome o = run(&lab, "forever", 1, args, 1);
	pthread_join(thread, NULL);
	atomic_store(&cancel_flag, false);
	assert_int_equal(o.status, LAUNCH_INTERRUPTED);
	assert_int_equal(run(&lab, "increment", 1, fine, 2).status, LAUNCH_OK);
	device_close(lab.device);
}

/* It ends by itself in the moment of grace; on a crowded machine perhaps not at the first try. */
static void a_cancel_during_a_short_launch_costs_nothing(void **state) {
	Lab lab = open_lab();
	Buffer b = make_buffer(lab.device, ELEM_I32, 4, "b", iota);
	const Arg args[] = {arg_buffer(b), arg_int(4)};
	bool unharmed = false;
	for (int tries = 0; tries < 10 && !unharmed; tries++) {
		assert_true(device_define(lab.device, b, iota, NULL));
		const pid_t before = worker_of("fake");
		atomic_store(&cancel_flag, true);
		LaunchOutcome o = run(&lab, "increment", 4, args, 2);
		atomic_store(&cancel_flag, false);
		unharmed = o.status == LAUNCH_OK && worker_of("fake") == before && element(lab.device, b, 3) == 4;
	}
	assert_true(unharmed);
	device_close(lab.device);
}

static void a_frozen_worker_yields_to_a_cancel(void **state) {
	Lab lab = open_lab();
	Buffer b = make_buffer(lab.device, ELEM_I32, 4, "b", iota);
	Err err = ERR_INIT;
	pthread_t thread;
	int x;
	kill(worker_of("fake"), SIGSTOP);
	assert_int_equal(pthread_create(&thread, NULL, cancel_later, NULL), 0);
	assert_false(device_download(lab.device, b, 0, &x, 1, &err));
	pthread_join(thread, NULL);
	atomic_store(&cancel_flag, false);
	assert_int_equal(err.kind, ERR_INTERRUPTED);
	assert_int_equal(element(lab.device, b, 3), 3);
	device_close(lab.device);
}

/* --- what is lost, and what is not -------------------------------------------------------------------------------- */

static bool is_stale(Device *device, Buffer buffer) {
	BufferInfo info;
	assert_true(device_buffer_info(device, buffer, &info, NULL));
	return info.stale;
}

static void what_a_kernel_wrote_is_reported_lost(void **state) {
	Lab lab = open_lab();
	Device *d = lab.device;
	Err err = ERR_INIT;
	int x;
	float f;
	Buffer in = make_buffer(d, ELEM_F32, 8, "idata", iota), out = make_buffer(d, ELEM_F32, 8, "odata", sentinel);
	Buffer sums = make_buffer(d, ELEM_I32, 8, "sums", iota);
	const Arg scale[] = {arg_buffer(out), arg_buffer(in), arg_float(3), arg_int(8)},
			  add[] = {arg_buffer(sums), arg_int(8)};
	assert_int_equal(run(&lab, "scale", 8, scale, 4).status, LAUNCH_OK);
	assert_int_equal(run(&lab, "increment", 8, add, 2).status, LAUNCH_OK);
	kill(worker_of("fake"), SIGKILL);

	assert_false(device_download(d, out, 0, &f, 1, &err));
	assert_int_equal(err.kind, ERR_FAULT);
	assert_text(err.what, "'odata' lost its content");
	assert_true(is_stale(d, out) && is_stale(d, sums) && !is_stale(d, in));
	assert_done(device_download(d, in, 7, &f, 1, &err), err); /* only read by the kernel: as good as before */
	assert_float_equal(f, 7, 0);

	Err refused = launch_refused(d, kernel_of(d, lab.module, "increment"), 1, 8, add, 2); /* reads what is lost */
	assert_int_equal(refused.kind, ERR_FAULT);
	assert_text(refused.what, "'sums'");
	assert_int_equal(run(&lab, "scale", 8, scale, 4).status, LAUNCH_OK); /* writes it: good again */
	assert_false(is_stale(d, out));
	assert_done(device_download(d, out, 7, &f, 1, &err), err);
	assert_float_equal(f, 21, 0);

	assert_done(device_define(d, sums, iota, &err), err);
	assert_false(is_stale(d, sums));
	assert_int_equal(run(&lab, "increment", 8, add, 2).status, LAUNCH_OK);
	assert_done(device_download(d, sums, 7, &x, 1, &err), err);
	assert_int_equal(x, 8);
	device_close(d);
}

static void an_upload_makes_it_good_again(void **state) {
	Lab lab = open_lab();
	Device *d = lab.device;
	Buffer b = make_buffer(d, ELEM_I32, 2, "b", iota);
	const Arg add[] = {arg_buffer(b), arg_int(2)};
	const int whole[] = {20, 30};
	int x;
	assert_int_equal(run(&lab, "increment", 2, add, 2).status, LAUNCH_OK);
	kill(worker_of("fake"), SIGKILL);
	assert_true(device_upload(d, b, 0, whole, 1, NULL)); /* half of it: the rest is still lost */
	assert_false(device_download(d, b, 1, &x, 1, NULL));
	assert_true(device_upload(d, b, 0, whole, 2, NULL));
	assert_int_equal(element(d, b, 1), 30);
	kill(worker_of("fake"), SIGKILL);
	assert_int_equal(element(d, b, 1), 30);
	device_close(d);
}

static void a_launch_that_fails_leaves_what_was_before(void **state) {
	Lab lab = open_lab();
	Device *d = lab.device;
	Buffer fresh = make_buffer(d, ELEM_I32, 64, "fresh", iota);
	const Arg trap[] = {arg_buffer(fresh)};
	LaunchOutcome o = run(&lab, "trapped", 32, trap, 1);
	assert_int_equal(o.status, LAUNCH_FAULT);
	assert_false(is_stale(d, fresh)); /* no launch that ended had written to it */
	assert_int_equal(element(d, fresh, 5), 5);
	device_close(d);
}

/* --- faults ------------------------------------------------------------------------------------------------------- */

static void a_fault_is_located_by_replay(void **state) {
	Lab lab = open_lab();
	Buffer b = make_buffer(lab.device, ELEM_I32, 64, "target", iota);
	const Arg args[] = {arg_buffer(b)}, fine[] = {arg_buffer(b), arg_int(64)};
	LaunchOutcome o = run(&lab, "far_away", 32, args, 1);
	assert_int_equal(o.status, LAUNCH_FAULT);
	assert_int_equal(o.fault.kind, FAULT_OUT_OF_BOUNDS);
	assert_true(o.fault.located && o.fault.replayed);
	assert_int_equal(o.fault.line, 17);
	assert_text(o.fault.file, "kernels.cu");
	assert_string_equal(o.fault.kernel, "far_away");
	o = run(&lab, "trapped", 32, args, 1);
	assert_int_equal(o.fault.kind, FAULT_TRAP);
	assert_int_equal(o.fault.thread[0], 5);
	assert_true(o.fault.replayed);
	assert_int_equal(run(&lab, "increment", 64, fine, 2).status, LAUNCH_OK);
	device_close(lab.device);
}

static void a_replay_that_finds_nothing_says_so(void **state) {
	Lab lab = open_lab();
	Buffer b = make_buffer(lab.device, ELEM_I32, 64, "target", iota);
	const Arg args[] = {arg_buffer(b)};
	LaunchOutcome o = run(&lab, "mystery", 32, args, 1);
	assert_int_equal(o.status, LAUNCH_FAULT);
	assert_false(o.fault.located || o.fault.replayed);
	assert_text(o.message, "illegal memory access");
	assert_text(o.message, "found nothing wrong");
	device_close(lab.device);
}

static void writes_beside_a_buffer_are_found(void **state) {
	Lab lab = open_lab();
	Device *d = lab.device;
	const pid_t before = worker_of("fake");
	Buffer b = make_buffer(d, ELEM_I32, 100, "victim", sentinel),
		   neighbour = make_buffer(d, ELEM_I32, 100, "neighbour", iota);
	const Arg past[] = {arg_buffer(b), arg_int(100)}, fine[] = {arg_buffer(b), arg_int(99)}, start[] = {arg_buffer(b)};
	for (int round = 0; round < 2; round++) { /* the guards are mended */
		LaunchOutcome o = run(&lab, "past_end", 128, past, 2);
		assert_int_equal(o.status, LAUNCH_FAULT);
		assert_int_equal(o.fault.kind, FAULT_OUT_OF_BOUNDS);
		assert_string_equal(o.fault.buffer, "victim");
		assert_int_equal(o.fault.offset, 400);
		assert_string_equal(o.fault.elem_type, "int");
		assert_int_equal(o.fault.buffer_bytes, 400);
		assert_true(o.fault.located && o.fault.replayed);
		assert_int_equal(o.fault.thread[0], 100);
		assert_int_equal(o.fault.line, 9);
		assert_int_equal(run(&lab, "past_end", 128, fine, 2).status, LAUNCH_OK);
	}
	LaunchOutcome o = run(&lab, "before_start", 4, start, 1);
	assert_int_equal(o.status, LAUNCH_FAULT);
	assert_int_equal(o.fault.offset, -4);
	assert_int_equal(element(d, neighbour, 0), 0);
	assert_int_equal(worker_of("fake"), before); /* nothing of this costs the worker */
	device_close(d);
}

static void limits_cost_nothing(void **state) {
	Lab lab = open_lab();
	const pid_t before = worker_of("fake");
	Buffer b = make_buffer(lab.device, ELEM_I32, 4, "b", iota);
	const Arg args[] = {arg_buffer(b), arg_int(4)};
	LaunchOutcome o = run(&lab, "increment", 2048, args, 2);
	assert_int_equal(o.status, LAUNCH_LIMIT);
	assert_text(o.message, "2048");
	assert_text(o.message, "1024");
	assert_int_equal(worker_of("fake"), before);
	assert_false(is_stale(lab.device, b));
	device_close(lab.device);
}

/* --- emulation beside the device ---------------------------------------------------------------------------------- */

static LaunchOutcome weigh_with_heap(Lab *lab, Buffer out, size_t heap) {
	const Arg args[] = {arg_buffer(out)};
	Launch l = {.kernel = kernel_of(lab->device, lab->module, "weigh"),
				.config = {.grid = {1, 1, 1}, .block = {4, 1, 1}, .heap_bytes = heap},
				.args = args,
				.nargs = 1};
	LaunchOutcome o;
	Err err = ERR_INIT;
	assert_done(run_launch(lab->device, &l, &o, &err), err);
	return o;
}

/* A GPU's heap of malloc is what the launches say until a kernel has used it. */
static void the_heap_is_set_before_it_is_used(void **state) {
	Lab lab = open_lab();
	Buffer out = make_buffer(lab.device, ELEM_F32, 4, "out", sentinel);
	assert_false(device_info(lab.device)->can & CAN_RESIZE_HEAP);
	assert_int_equal(weigh_with_heap(&lab, out, 64 << 20).status, LAUNCH_OK);
	assert_int_equal(weigh_with_heap(&lab, out, 0).status, LAUNCH_OK);
	assert_int_equal(weigh_with_heap(&lab, out, 64 << 20).status, LAUNCH_OK);
	const LaunchOutcome o = weigh_with_heap(&lab, out, 32 << 20);
	assert_int_equal(o.status, LAUNCH_LIMIT);
	assert_text(o.message, "has 67108864 bytes and cannot have 33554432");
	assert_text(o.message, "--limit heap=64M");
	device_close(lab.device);
	limit_set(LIMIT_HEAP, 0x1p24, NULL); /* told to the first launch that asks for nothing, and to no later one */
	lab = open_lab();
	out = make_buffer(lab.device, ELEM_F32, 4, "out", sentinel);
	assert_int_equal(weigh_with_heap(&lab, out, 0).status, LAUNCH_OK);
	assert_text(weigh_with_heap(&lab, out, 32 << 20).message, "has 16777216 bytes");
	kill_worker("fake");
	assert_int_equal(weigh_with_heap(&lab, out, 0).status, LAUNCH_OK);
	assert_text(weigh_with_heap(&lab, out, 32 << 20).message, "has 16777216 bytes");
	limit_set(LIMIT_HEAP, 0, NULL);
	device_close(lab.device);
}

/* Where the launch sets none. */
static void the_time_of_a_launch_is_a_limit(void **state) {
	Lab lab = open_lab();
	Buffer flag = make_buffer(lab.device, ELEM_I32, 1, "flag", iota);
	const Arg args[] = {arg_buffer(flag)};
	limit_set(LIMIT_GPU_TIME, 0.2, NULL);
	const LaunchOutcome o = run(&lab, "forever", 1, args, 1);
	limit_set(LIMIT_GPU_TIME, 0, NULL);
	assert_int_equal(o.status, LAUNCH_TIMEOUT);
	assert_text(o.message, "did not answer for 7 s");
	device_close(lab.device);
}

static void emulation_sees_what_the_device_holds(void **state) {
	Lab lab = open_lab();
	Device *d = lab.device;
	Err err = ERR_INIT;
	LaunchOutcome o;
	bool from_definitions = true;
	Buffer flag = make_buffer(d, ELEM_I32, 1, "flag", (Define){.kind = DEFINE_FILL, .value = -2});
	const Arg args[] = {arg_buffer(flag)}, add[] = {arg_buffer(flag), arg_int(1)};
	Launch call = {.kernel = kernel_of(d, lab.module, "forever"),
				   .config = {.grid = {1, 1, 1}, .block = {1, 1, 1}},
				   .args = args,
				   .nargs = 1};
	assert_done(emulate(d, &call, &o, &from_definitions, &err), err);
	assert_int_equal(o.status, LAUNCH_OK); /* -2 ends the loop */
	for (int i = 0; i < 2; i++) assert_int_equal(run(&lab, "increment", 1, add, 2).status, LAUNCH_OK);
	call.config.timeout_ms = 200;
	assert_done(emulate(d, &call, &o, &from_definitions, &err), err);
	call.config.timeout_ms = 0;
	assert_int_equal(o.status, LAUNCH_TIMEOUT); /* the device holds 0 now, and so does the shadow */
	assert_false(from_definitions);
	kill(worker_of("fake"), SIGKILL);
	assert_done(emulate(d, &call, &o, &from_definitions, &err), err);
	assert_int_equal(o.status, LAUNCH_OK); /* what is lost is taken from the definition, and that is said */
	assert_true(from_definitions);
	device_close(d);
}

/* The shadow device keeps buffers from launch to launch; what an emulated kernel left in one is not what the device
 * holds. */
static void emulations_leave_nothing_to_each_other(void **state) {
	Lab lab = open_lab();
	Device *d = lab.device;
	Err err = ERR_INIT;
	LaunchOutcome o;
	Buffer flag = make_buffer(d, ELEM_I32, 1, "flag", (Define){.kind = DEFINE_FILL, .value = -2});
	const Arg args[] = {arg_buffer(flag)}, add[] = {arg_buffer(flag), arg_int(1)};
	const LaunchConfig one = {.grid = {1, 1, 1}, .block = {1, 1, 1}, .timeout_ms = 2000};
	const Launch wait = {.kernel = kernel_of(d, lab.module, "forever"), .config = one, .args = args, .nargs = 1},
				 increment = {.kernel = kernel_of(d, lab.module, "increment"), .config = one, .args = add, .nargs = 2};
	for (int round = 0; round < 3; round++) {
		for (int i = 0; i < 2; i++) assert_done(emulate(d, &increment, &o, NULL, &err), err);
		assert_done(emulate(d, &wait, &o, NULL, &err), err);
		assert_int_equal(o.status, LAUNCH_OK); /* still -2 */
		assert_true(device_define(d, flag, (Define){.kind = DEFINE_FILL, .value = -2 - round}, NULL));
	}
	Buffer other = make_buffer(d, ELEM_I32, 1, "other", (Define){.kind = DEFINE_FILL, .value = -2});
	assert_true(device_free(d, flag, NULL));
	const Arg mine[] = {arg_buffer(other)};
	const Launch last = {.kernel = wait.kernel, .config = one, .args = mine, .nargs = 1};
	assert_done(emulate(d, &last, &o, NULL, &err), err);
	assert_int_equal(o.status, LAUNCH_OK);
	device_close(d);
}

/* --- samples ------------------------------------------------------------------------------------------------------ */

static void samples_come_back(void **state) {
	Lab lab = open_lab();
	Device *d = lab.device;
	Err err = ERR_INIT;
	LaunchOutcome o;
	Sample samples[7] = {0};
	Buffer b = make_buffer(d, ELEM_I32, 4, "b", iota);
	const Arg args[] = {arg_buffer(b), arg_int(4)};
	const Launch call = {.kernel = kernel_of(d, lab.module, "increment"),
						 .config = {.grid = {1, 1, 1}, .block = {4, 1, 1}},
						 .args = args,
						 .nargs = 2};
	SampleConfig config = {.count = 7, .flush_l2 = false, .batch = 2};
	assert_int_equal(device_info(d)->can, CAN_TIME);
	assert_done(take_samples(d, LIST_OF(&call), &config, samples, &o, &err), err);
	assert_int_equal(o.status, LAUNCH_OK);
	for (int i = 0; i < 7; i++) assert_float_equal(samples[i].milliseconds, 0.25, 1e-12);
	assert_float_equal(samples[6].clock_ghz, 1.5, 1e-12);
	assert_int_equal(element(d, b, 0), 7);
	config.count = 0;
	assert_false(take_samples(d, LIST_OF(&call), &config, samples, &o, &err));
	device_close(d);
}

/* --- leaks -------------------------------------------------------------------------------------------------------- */

static void two_hundred_deaths_leave_nothing_behind(void **state) {
	Lab lab = open_lab();
	Buffer b = make_buffer(lab.device, ELEM_I32, 16, "b", iota);
	pid_t left[8];
	assert_int_equal(element(lab.device, b, 15), 15);
	const size_t before = open_descriptors();
	for (int i = 0; i < 200; i++) {
		kill(worker_of("fake"), SIGKILL);
		assert_int_equal(element(lab.device, b, 15), 15);
	}
	assert_int_equal(open_descriptors(), before);
	assert_int_equal(children(left, 8), 1);
	device_close(lab.device);
	assert_int_equal(children(left, 8), 0);
}

static void two_workers_at_once(void **state) {
	Lab a = open_lab(), b = open_lab();
	pid_t pids[8];
	assert_int_equal(children(pids, 8), 2);
	Buffer ba = make_buffer(a.device, ELEM_I32, 4, "ba", iota), bb = make_buffer(b.device, ELEM_I32, 4, "bb", iota);
	const pid_t of_a = (pid_t)atoi(device_info(a.device)->driver);
	kill(of_a, SIGKILL);
	const Arg args[] = {arg_buffer(bb), arg_int(4)};
	assert_int_equal(run(&b, "increment", 4, args, 2).status, LAUNCH_OK);
	assert_int_equal(element(b.device, bb, 3), 4); /* the other's death is not its affair */
	assert_int_equal(element(a.device, ba, 3), 3);
	device_close(b.device);
	assert_int_equal(element(a.device, ba, 2), 2);
	device_close(a.device);
}

int main(int argc, char **argv) {
	int status = maybe_worker(argc, argv);
	if (status >= 0) return status;
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(killed_while_idle),
		cmocka_unit_test(digests_outlive_a_worker),
		cmocka_unit_test(part_of_an_upload_survives_too),
		cmocka_unit_test(filled_again_and_again),
		cmocka_unit_test(kept_contents_make_room),
		cmocka_unit_test(killed_during_a_launch),
		cmocka_unit_test(killed_during_an_upload),
		cmocka_unit_test(killed_during_a_download),
		cmocka_unit_test(a_worker_ends_with_its_parent),
		cmocka_unit_test(a_worker_stands_apart),
		cmocka_unit_test(a_worker_that_dies_twice_is_an_error),
		cmocka_unit_test(a_worker_whose_gpu_broke_is_replaced),
		cmocka_unit_test(workers_that_never_were),
		cmocka_unit_test(a_hung_kernel_times_out),
		cmocka_unit_test(a_cancel_ends_a_hung_kernel),
		cmocka_unit_test(a_cancel_during_a_short_launch_costs_nothing),
		cmocka_unit_test(a_frozen_worker_yields_to_a_cancel),
		cmocka_unit_test(what_a_kernel_wrote_is_reported_lost),
		cmocka_unit_test(an_upload_makes_it_good_again),
		cmocka_unit_test(a_launch_that_fails_leaves_what_was_before),
		cmocka_unit_test(a_fault_is_located_by_replay),
		cmocka_unit_test(a_replay_that_finds_nothing_says_so),
		cmocka_unit_test(writes_beside_a_buffer_are_found),
		cmocka_unit_test(limits_cost_nothing),
		cmocka_unit_test(the_heap_is_set_before_it_is_used),
		cmocka_unit_test(the_time_of_a_launch_is_a_limit),
		cmocka_unit_test(emulation_sees_what_the_device_holds),
		cmocka_unit_test(emulations_leave_nothing_to_each_other),
		cmocka_unit_test(samples_come_back),
		cmocka_unit_test(two_hundred_deaths_leave_nothing_behind),
		cmocka_unit_test(two_workers_at_once),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
