/* Lists of launches: several items in a row, on the fake GPU behind a worker and on the emulator; and library
 * routines. */
#include "device_test.h"

#include <signal.h>

static const Define iota = {.kind = DEFINE_IOTA};
static const Define sentinel = {.kind = DEFINE_SENTINEL};

typedef struct {
	Device *device;
	DeviceModule *module;
	Buffer ints, in, out;
	Arg add[2], scale[4], past[2];
} Lab;

enum { COUNT = 12 };

static Lab open_lab(const char *name) {
	Lab lab = {.device = open_device(name)};
	lab.module = load_kernels(lab.device);
	lab.ints = make_buffer(lab.device, ELEM_I32, COUNT, "ints", iota);
	lab.in = make_buffer(lab.device, ELEM_F32, COUNT, "in", iota);
	lab.out = make_buffer(lab.device, ELEM_F32, COUNT, "out", sentinel);
	const Arg add[] = {arg_buffer(lab.ints), arg_int(COUNT)};
	const Arg scale[] = {arg_buffer(lab.out), arg_buffer(lab.in), arg_float(2), arg_int(COUNT)};
	memcpy(lab.add, add, sizeof add);
	memcpy(lab.past, add, sizeof add);
	memcpy(lab.scale, scale, sizeof scale);
	return lab;
}

static LaunchItem item(Lab *lab, const char *kernel, const Arg *args, uint32_t nargs) {
	return (LaunchItem){.launch = {.kernel = kernel_of(lab->device, lab->module, kernel),
								   .config = {.grid = {1, 1, 1}, .block = {32, 1, 1}},
								   .args = args,
								   .nargs = nargs}};
}

static LaunchItem call(LibraryRoutine routine, Buffer a, Buffer b, Buffer c, uint64_t rows, uint64_t columns) {
	return (LaunchItem){.library = {.routine = routine, .buffers = {a, b, c}, .extents = {rows, columns}}};
}

static void floats(Device *device, Buffer b, float *out, size_t n) {
	Err err = ERR_INIT;
	assert_done(device_download(device, b, 0, out, n, &err), err);
}

static Err refused(Device *device, const LaunchItem *items, uint32_t n) {
	LaunchOutcome o;
	Err err = ERR_INIT;
	assert_false(run_list(device, &(LaunchList){.items = items, .nitems = n}, &o, &err));
	assert_int_not_equal(err.kind, ERR_NONE);
	return err;
}

/* --- in order ----------------------------------------------------------------------------------------------------- */

static void items_run_in_order_on(const char *name) {
	Lab lab = open_lab(name);
	LaunchOutcome o = {0};
	Err err = ERR_INIT;
	const Arg again[] = {arg_buffer(lab.out), arg_buffer(lab.out), arg_float(3), arg_int(COUNT)};
	const LaunchItem items[] = {item(&lab, "increment", lab.add, 2), item(&lab, "scale<float>", lab.scale, 4),
								item(&lab, "scale<float>", again, 4), item(&lab, "increment", lab.add, 2)};
	assert_done(run_list(lab.device, &(LaunchList){.items = items, .nitems = 4}, &o, &err), err);
	assert_int_equal(o.status, LAUNCH_OK);
	float out[COUNT];
	floats(lab.device, lab.out, out, COUNT);
	assert_float_equal(out[11], 66, 0); /* 11 · 2 · 3: the third saw what the second wrote */
	assert_int_equal(element(lab.device, lab.ints, 5), 7);
	device_close(lab.device);
}

static void items_run_in_order(void **state) {
	items_run_in_order_on("worker:fake");
	items_run_in_order_on("emu");
}

static void the_first_that_fails_ends_it_on(const char *name) {
	Lab lab = open_lab(name);
	LaunchOutcome o = {0};
	Err err = ERR_INIT;
	const LaunchItem items[] = {item(&lab, "increment", lab.add, 2), item(&lab, "past_end", lab.past, 2),
								item(&lab, "increment", lab.add, 2)};
	assert_done(run_list(lab.device, &(LaunchList){.items = items, .nitems = 3}, &o, &err), err);
	assert_int_equal(o.status, LAUNCH_FAULT);
	assert_string_equal(o.fault.kernel, "past_end");
	assert_int_equal(o.fault.offset, COUNT * 4);
	device_close(lab.device);
}

static void the_first_that_fails_ends_it(void **state) {
	the_first_that_fails_ends_it_on("worker:fake");
	the_first_that_fails_ends_it_on("emu");
}

static void a_mistake_at_the_end_runs_nothing(void **state) {
	Lab lab = open_lab("worker:fake");
	const Buffer gone = {.slot = 99, .generation = 1};
	const Arg bad[] = {arg_buffer(gone), arg_int(1)};
	const LaunchItem items[] = {item(&lab, "increment", lab.add, 2), item(&lab, "increment", bad, 2)};
	refused(lab.device, items, 2);
	assert_int_equal(element(lab.device, lab.ints, 5), 5);
	const Err empty = refused(lab.device, items, 0);
	assert_text(empty.what, "at least one item");
	device_close(lab.device);
}

/* --- samples ------------------------------------------------------------------------------------------------------ */

static void a_list_is_sampled_as_one(void **state) {
	Lab lab = open_lab("worker:fake");
	LaunchOutcome o;
	Err err = ERR_INIT;
	Sample samples[3];
	const SampleConfig config = {.count = 3, .batch = 1};
	const LaunchItem items[] = {item(&lab, "increment", lab.add, 2), item(&lab, "count", lab.add, 1),
								call(LIBRARY_MEMCPY, lab.out, lab.in, lab.in, 0, 0)};
	assert_done(take_samples(lab.device, &(LaunchList){.items = items, .nitems = 3}, &config, samples, &o, &err), err);
	assert_int_equal(o.status, LAUNCH_OK);
	for (int i = 0; i < 3; i++) assert_float_equal(samples[i].milliseconds, 0.25 + 0.004 + 0.5, 1e-9);
	assert_int_equal(element(lab.device, lab.ints, 3), 3 + 3);
	device_close(lab.device);
}

/* A sampled list of several launches that writes past a buffer is found out; the replay says which kernel it was. */
static void a_fault_among_several_is_told_apart(void **state) {
	Lab lab = open_lab("worker:fake");
	LaunchOutcome o;
	Err err = ERR_INIT;
	Sample sample;
	const SampleConfig config = {.count = 1, .batch = 1};
	const Arg far[] = {arg_buffer(lab.ints)};
	const LaunchItem items[] = {item(&lab, "increment", lab.add, 2), item(&lab, "far_away", far, 1)};
	assert_done(take_samples(lab.device, &(LaunchList){.items = items, .nitems = 2}, &config, &sample, &o, &err), err);
	assert_int_equal(o.status, LAUNCH_FAULT);
	assert_true(o.fault.replayed);
	assert_string_equal(o.fault.kernel, "far_away");
	device_close(lab.device);
}

/* What a kernel had written was lost with the worker; a list that writes it first may go on, one that reads it first
 * may not. */
static void lost_contents_are_not_read(void **state) {
	Lab lab = open_lab("worker:fake");
	LaunchOutcome o;
	Err err = ERR_INIT;
	Sample sample;
	const SampleConfig config = {.count = 1, .batch = 1};
	const LaunchItem write = item(&lab, "scale<float>", lab.scale, 4);
	const Arg from_out[] = {arg_buffer(lab.in), arg_buffer(lab.out), arg_float(1), arg_int(COUNT)};
	const LaunchItem read = item(&lab, "scale<float>", from_out, 4);
	const LaunchItem good[] = {write, read}, bad[] = {read, write};
	pid_t worker;
	assert_done(run_list(lab.device, &(LaunchList){.items = &write, .nitems = 1}, &o, &err), err);
	worker = worker_of("fake");
	kill(worker, SIGKILL);
	proc_wait(worker, 1e6, NULL);
	assert_false(take_samples(lab.device, &(LaunchList){.items = bad, .nitems = 2}, &config, &sample, &o, &err));
	assert_int_equal(err.kind, ERR_FAULT);
	assert_text(err.what, "'out'");
	err = (Err)ERR_INIT;
	assert_done(take_samples(lab.device, &(LaunchList){.items = good, .nitems = 2}, &config, &sample, &o, &err), err);
	device_close(lab.device);
}

/* --- emulation ---------------------------------------------------------------------------------------------------- */

static void each_item_has_its_own_counts_on(const char *name, bool changes) {
	Lab lab = open_lab(name);
	Err err = ERR_INIT;
	Answer answer = {0};
	const Arg again[] = {arg_buffer(lab.out), arg_buffer(lab.out), arg_float(3), arg_int(COUNT)};
	const LaunchItem items[] = {item(&lab, "scale<float>", lab.scale, 4), item(&lab, "scale<float>", again, 4),
								item(&lab, "increment", lab.add, 2)};
	assert_done(count_list(lab.device, &(LaunchList){.items = items, .nitems = 3}, &answer, &err), err);
	assert_int_equal(answer.outcome.status, LAUNCH_OK);
	assert_false(answer.from_definitions);
	assert_int_equal(answer.nitems, 3);
	for (int i = 0; i < 3; i++) assert_int_equal(answer.items[i].total.global_store_requests, 1);
	assert_int_equal(element(lab.device, lab.ints, 5), changes ? 6 : 5);
	answer_free(&answer);
	device_close(lab.device);
}

static void each_item_has_its_own_counts(void **state) {
	each_item_has_its_own_counts_on("emu", true);
	each_item_has_its_own_counts_on("worker:fake", false); /* on a shadow: the device keeps what it has */
}

/* --- library routines --------------------------------------------------------------------------------------------- */

static void routines_do_what_they_say(void **state) {
	Lab lab = open_lab("worker:fake");
	LaunchOutcome o;
	Err err = ERR_INIT;
	float out[COUNT];
	const LaunchItem transpose = call(LIBRARY_SGEAM, lab.out, lab.in, lab.in, 3, 4);
	assert_done(device_has_library(lab.device, LIBRARY_SGEMM, &err), err);
	assert_done(run_list(lab.device, &(LaunchList){.items = &transpose, .nitems = 1}, &o, &err), err);
	floats(lab.device, lab.out, out, COUNT);
	assert_float_equal(out[1], 4, 0); /* row 1, column 0 of 3 × 4 */
	assert_float_equal(out[3], 1, 0);
	const LaunchItem square = call(LIBRARY_SGEMM, lab.out, lab.in, lab.in, 3, 0);
	assert_done(run_list(lab.device, &(LaunchList){.items = &square, .nitems = 1}, &o, &err), err);
	floats(lab.device, lab.out, out, COUNT);
	assert_float_equal(out[0], 0 * 0 + 1 * 3 + 2 * 6, 0);
	assert_float_equal(out[5], 3 * 2 + 4 * 5 + 5 * 8, 0);
	BufferInfo info;
	assert_done(device_buffer_info(lab.device, lab.out, &info, &err), err);
	assert_true(info.written);
	device_close(lab.device);
}

static void routines_check_their_buffers(void **state) {
	Lab lab = open_lab("worker:fake");
	LaunchItem i = call(LIBRARY_SGEMM, lab.out, lab.in, lab.in, 4, 0);
	assert_text(refused(lab.device, &i, 1).what, "needs 16 elements in 'out', which has 12");
	i = call(LIBRARY_SGEAM, lab.out, lab.ints, lab.in, 3, 4);
	assert_text(refused(lab.device, &i, 1).what, "sgeam reads float; 'ints' holds int");
	i = call(LIBRARY_GEMMEX, lab.out, lab.in, lab.in, 3, 0);
	assert_text(refused(lab.device, &i, 1).what, "gemmex reads bfloat16; 'in' holds float");
	i = call(LIBRARY_SGEAM, lab.out, lab.out, lab.in, 3, 4);
	assert_text(refused(lab.device, &i, 1).what, "while it reads it");
	i = call(LIBRARY_SGEAM, lab.out, lab.in, lab.in, 0, 4);
	assert_text(refused(lab.device, &i, 1).what, "from 1 to");
	i = call(LIBRARY_SGEMM, lab.out, lab.in, lab.in, UINT64_C(1) << 40, 0);
	assert_text(refused(lab.device, &i, 1).what, "from 1 to");
	const Buffer longer = make_buffer(lab.device, ELEM_F32, COUNT + 1, "longer", iota);
	i = call(LIBRARY_MEMCPY, lab.out, longer, lab.in, 0, 0);
	assert_text(refused(lab.device, &i, 1).what, "whole buffers");
	i = call(LIBRARY_MEMCPY, lab.out, (Buffer){.slot = 77, .generation = 3}, lab.in, 0, 0);
	refused(lab.device, &i, 1);
	device_close(lab.device);
}

static void a_missing_library_is_said(void **state) {
	Lab lab = open_lab("worker:fake:bare");
	Err err = ERR_INIT;
	assert_false(device_has_library(lab.device, LIBRARY_SGEMM, &err));
	assert_int_equal(err.kind, ERR_SETUP);
	assert_text(err.what, "cuBLAS");
	err = (Err)ERR_INIT;
	assert_done(device_has_library(lab.device, LIBRARY_MEMCPY, &err), err);
	const LaunchItem items[] = {item(&lab, "increment", lab.add, 2),
								call(LIBRARY_SGEAM, lab.out, lab.in, lab.in, 3, 4)};
	assert_int_equal(refused(lab.device, items, 2).kind, ERR_SETUP);
	assert_int_equal(element(lab.device, lab.ints, 5), 5); /* nothing ran */
	device_close(lab.device);
}

static void the_emulator_has_none_on(const char *name) {
	Lab lab = open_lab(name);
	Answer answer = {0};
	Err err = ERR_INIT;
	const LaunchItem copy = call(LIBRARY_MEMCPY, lab.out, lab.in, lab.in, 0, 0);
	assert_int_equal(refused(lab.device, &copy, 1).kind, ERR_SETUP);
	assert_false(device_has_library(lab.device, LIBRARY_SGEAM, &err));
	assert_text(err.what, "cuBLAS needs a GPU");
	err = (Err)ERR_INIT;
	assert_false(count_list(lab.device, &(LaunchList){.items = &copy, .nitems = 1}, &answer, &err));
	assert_int_equal(err.kind, ERR_SETUP);
	device_close(lab.device);
}

static void the_emulator_has_none(void **state) {
	the_emulator_has_none_on("emu");
}

static void names_of_routines(void **state) {
	Err err = ERR_INIT;
	assert_int_equal(library_find("sgemm", &err), LIBRARY_SGEMM);
	assert_int_equal(library_find("memcpy", &err), LIBRARY_MEMCPY);
	assert_int_equal(library_find("sgem", &err), LIBRARY_NONE);
	assert_text(err.hint, "did you mean sgemm");
	assert_int_equal(library_find("", &err), LIBRARY_NONE);
	assert_int_equal(library_find("fft", &err), LIBRARY_NONE);
	assert_text(err.hint, "memcpy");
}

int main(int argc, char **argv) {
	int status = maybe_worker(argc, argv);
	if (status >= 0) return status;
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(items_run_in_order),
		cmocka_unit_test(the_first_that_fails_ends_it),
		cmocka_unit_test(a_mistake_at_the_end_runs_nothing),
		cmocka_unit_test(a_list_is_sampled_as_one),
		cmocka_unit_test(a_fault_among_several_is_told_apart),
		cmocka_unit_test(lost_contents_are_not_read),
		cmocka_unit_test(each_item_has_its_own_counts),
		cmocka_unit_test(routines_do_what_they_say),
		cmocka_unit_test(routines_check_their_buffers),
		cmocka_unit_test(a_missing_library_is_said),
		cmocka_unit_test(the_emulator_has_none),
		cmocka_unit_test(names_of_routines),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
