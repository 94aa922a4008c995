/* Measuring on the fake GPU, whose times are known; predicting and counting on the emulator. */
#include "device_test.h"

#include <stdio.h>

#include "base/cancel.h"
#include "measure/measure.h"

static const Define sentinel = {.kind = DEFINE_SENTINEL};
static const Define iota = {.kind = DEFINE_IOTA};

enum { COUNT = 1024 };

typedef struct {
	Device *device;
	DeviceModule *module;
	Buffer in, out, total;
	Arg scale[4], count[1], increment[2], past[2];
} Lab;

static Lab open_lab(const char *name) {
	Lab lab = {.device = open_device(name)};
	lab.module = load_kernels(lab.device);
	lab.in = make_buffer(lab.device, ELEM_F32, COUNT, "in", iota);
	lab.out = make_buffer(lab.device, ELEM_F32, COUNT, "out", sentinel);
	lab.total = make_buffer(lab.device, ELEM_I32, COUNT, "total", iota);
	const Arg scale[] = {arg_buffer(lab.out), arg_buffer(lab.in), arg_float(2), arg_int(COUNT)};
	memcpy(lab.scale, scale, sizeof scale);
	lab.count[0] = arg_buffer(lab.total);
	lab.increment[0] = lab.past[0] = arg_buffer(lab.total);
	lab.increment[1] = lab.past[1] = arg_int(COUNT);
	return lab;
}

static Launch of(Lab *lab, const char *kernel, const Arg *args, uint32_t nargs) {
	return (Launch){.kernel = kernel_of(lab->device, lab->module, kernel),
					.config = {.grid = {COUNT / 128 + 1, 1, 1}, .block = {128, 1, 1}},
					.args = args,
					.nargs = nargs};
}

static void throttled_samples_are_set_aside(void **state) {
	Lab lab = open_lab("worker:fake");
	const Launch launch = of(&lab, "scale", lab.scale, 4);
	Measurement m;
	LaunchOutcome o;
	Err err = ERR_INIT;
	assert_done(measure(lab.device, LIST_OF(&launch), NULL, &m, &o, &err), err);
	assert_int_equal(m.kind, RATE_MEASURED);
	assert_float_equal(m.median_ms, 1, 1e-12);
	assert_float_equal(m.min_ms, 1, 1e-12);
	assert_float_equal(m.q3_ms, 1, 1e-12);
	assert_float_equal(m.overhead_ms, 0.001, 1e-12);
	assert_float_equal(m.launch_ms, 0.0014, 1e-12);
	assert_true(m.temperature > 40 + 11); /* the last sample's */
	assert_float_equal(m.clock_ghz, 1.5, 1e-12);
	assert_true(m.throttled);
	assert_true(m.discarded >= 1 && m.samples >= 8);
	assert_text(m.note, "throttled");
	assert_int_equal(m.batch, 1);
	assert_false(m.impossible);
	device_close(lab.device);
}

static void the_cache_is_told_apart(void **state) {
	Lab lab = open_lab("worker:fake");
	const Launch launch = of(&lab, "increment", lab.increment, 2);
	Measurement m;
	Err err = ERR_INIT;
	assert_done(measure(lab.device, LIST_OF(&launch), NULL, &m, NULL, &err), err);
	assert_float_equal(m.median_ms, 1, 1e-12);
	assert_float_equal(m.hot_ms, 0.25, 1e-12);
	assert_text(m.note, "L2");
	assert_false(m.throttled);
	device_close(lab.device);
}

static void short_kernels_are_batched(void **state) {
	Lab lab = open_lab("worker:fake");
	const Launch launch = of(&lab, "count", lab.count, 1);
	Measurement m;
	Err err = ERR_INIT;
	assert_done(measure(lab.device, LIST_OF(&launch), NULL, &m, NULL, &err), err);
	assert_true(m.batch * m.median_ms >= 0.1);
	assert_float_equal(m.median_ms, 0.004, 1e-12);
	assert_float_equal(m.cold_ms, 0.004, 1e-12);
	assert_true(m.as_graph);
	assert_text(m.note, "launches as a graph");
	device_close(lab.device);
}

static void impossible_times_are_marked(void **state) {
	Lab lab = open_lab("worker:fake"); /* 1000 GB/s: 1 GB takes 1 ms */
	const Launch launch = of(&lab, "increment", lab.increment, 2);
	Measurement m;
	Err err = ERR_INIT;
	MeasureConfig config = {.min_bytes = 1.01e9};
	assert_done(measure(lab.device, LIST_OF(&launch), &config, &m, NULL, &err), err);
	assert_true(m.impossible);
	assert_text(m.note, "impossible");
	config.min_bytes = 0.99e9;
	assert_done(measure(lab.device, LIST_OF(&launch), &config, &m, NULL, &err), err);
	assert_false(m.impossible);
	device_close(lab.device);
}

static void a_faulty_launch_is_no_measurement(void **state) {
	static const char *const names[] = {"worker:fake", "emu"};
	for (size_t i = 0; i < 2; i++) {
		Lab lab = open_lab(names[i]);
		const Launch launch = of(&lab, "past_end", lab.past, 2);
		Measurement m = {.samples = 77};
		LaunchOutcome o;
		Err err = ERR_INIT;
		assert_false(measure(lab.device, LIST_OF(&launch), NULL, &m, &o, &err));
		assert_int_equal(o.status, LAUNCH_FAULT);
		assert_int_equal(err.kind, ERR_FAULT);
		assert_text(err.where, "kernels.cu:9");
		assert_int_equal(m.samples, 77);
		device_close(lab.device);
	}
}

static void a_cancel_ends_measuring(void **state) {
	Lab lab = open_lab("worker:fake");
	const Launch launch = of(&lab, "scale", lab.scale, 4);
	Measurement m;
	LaunchOutcome o;
	Err err = ERR_INIT;
	atomic_store(&cancel_flag, true);
	assert_false(measure(lab.device, LIST_OF(&launch), NULL, &m, &o, &err));
	atomic_store(&cancel_flag, false);
	assert_int_equal(err.kind, ERR_INTERRUPTED);
	assert_int_equal(o.status, LAUNCH_INTERRUPTED);
	device_close(lab.device);
}

static void the_emulator_predicts(void **state) {
	static const char *const names[] = {"emu", "emu:GTX 280"};
	for (size_t i = 0; i < 2; i++) {
		Lab lab = open_lab(names[i]);
		const Launch launch = of(&lab, "scale", lab.scale, 4);
		Measurement m;
		Err err = ERR_INIT;
		assert_done(measure(lab.device, LIST_OF(&launch), NULL, &m, NULL, &err), err);
		assert_int_equal(m.kind, RATE_PREDICTED);
		assert_true(m.prediction.known);
		assert_ptr_equal(m.prediction.gpu, device_info(lab.device)->gpu);
		assert_true(m.median_ms > 0);
		assert_float_equal(m.median_ms, m.prediction.milliseconds, 0);
		device_close(lab.device);
	}
}

static void one_run_counts_and_predicts(void **state) {
	static const char *const names[] = {"emu", "worker:fake"};
	const Gpu *models[] = {gpu_default(), gpu_find("GTX 280", NULL)};
	for (size_t i = 0; i < 2; i++) {
		Lab lab = open_lab(names[i]);
		const Launch launch = of(&lab, "scale", lab.scale, 4);
		CountReport report;
		LaunchOutcome o;
		Err err = ERR_INIT;
		assert_done(count_launches(lab.device, LIST_OF(&launch), gpu_default(), models, 2, NULL, &report, &o, &err),
					err);
		assert_int_equal(o.status, LAUNCH_OK);
		const Counts total = count_report_total(&report);
		assert_int_equal(total.global_load_requests, COUNT / 32);
		assert_int_equal(total.global_load_sectors, COUNT / 8);
		assert_int_equal(report.npredictions, 2);
		assert_ptr_equal(report.predictions[1].gpu, models[1]);
		assert_true(report.predictions[0].known && report.predictions[0].milliseconds > 0);
		assert_false(report.answer.from_definitions);
		count_report_free(&report);
		count_report_free(&report); /* twice does no harm */
		device_close(lab.device);
	}
}

static void counting_tells_of_a_fault(void **state) {
	Lab lab = open_lab("worker:fake");
	const Launch launch = of(&lab, "past_end", lab.past, 2);
	CountReport report;
	LaunchOutcome o;
	Err err = ERR_INIT;
	assert_false(count_launches(lab.device, LIST_OF(&launch), gpu_default(), NULL, 0, NULL, &report, &o, &err));
	assert_int_equal(o.status, LAUNCH_FAULT);
	assert_string_equal(o.fault.buffer, "total");
	assert_string_equal(o.fault.elem_type, "int");
	assert_int_equal(err.kind, ERR_FAULT);
	device_close(lab.device);
}

/* Launches one after the other: times add up, the rest is the longest one's, and one that is unknown makes all
 * unknown. */
static void predictions_of_a_list(void **state) {
	Prediction p[3] = {
		{.known = true, .milliseconds = 1, .error = 0.04, .bound = "issue slots", .blocks_per_sm = 2},
		{.known = true, .milliseconds = 3, .error = 0.02, .bound = "DRAM", .blocks_per_sm = 8},
		{.known = true, .milliseconds = 2, .error = 0.03, .bound = "latency", .blocks_per_sm = 1},
	};
	const Prediction sum = prediction_sum(p, 3);
	assert_true(sum.known);
	assert_float_equal(sum.milliseconds, 6, 1e-12);
	assert_float_equal(sum.error, 0.04, 1e-12);
	assert_string_equal(sum.bound, "DRAM");
	assert_int_equal(sum.blocks_per_sm, 8);
	assert_float_equal(prediction_sum(p, 1).milliseconds, 1, 1e-12);
	p[2] = (Prediction){.bound = "the launch is not allowed", .note = "refused"};
	assert_false(prediction_sum(p, 3).known);
	assert_string_equal(prediction_sum(p, 3).note, "refused");
}

static void a_list_is_measured_as_one(void **state) {
	Lab lab = open_lab("worker:fake");
	const LaunchItem items[] = {{.launch = of(&lab, "increment", lab.increment, 2)},
								{.library = {.routine = LIBRARY_MEMCPY, .buffers = {lab.out, lab.in}}}};
	const LaunchList list = {.items = items, .nitems = 2};
	Measurement m;
	Err err = ERR_INIT;
	assert_done(measure(lab.device, &list, NULL, &m, NULL, &err), err);
	assert_float_equal(m.median_ms, 1 + 0.5, 1e-9);
	assert_float_equal(m.hot_ms, 0.25 + 0.5, 1e-9);
	CountReport report;
	assert_false(count_launches(lab.device, &list, gpu_default(), NULL, 0, NULL, &report, NULL, &err));
	assert_int_equal(err.kind, ERR_SETUP); /* nobody counts what runs in a library */
	device_close(lab.device);
}

int main(int argc, char **argv) {
	int status = maybe_worker(argc, argv);
	if (status >= 0) return status;
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(throttled_samples_are_set_aside),
		cmocka_unit_test(the_cache_is_told_apart),
		cmocka_unit_test(short_kernels_are_batched),
		cmocka_unit_test(impossible_times_are_marked),
		cmocka_unit_test(a_faulty_launch_is_no_measurement),
		cmocka_unit_test(a_cancel_ends_measuring),
		cmocka_unit_test(the_emulator_predicts),
		cmocka_unit_test(one_run_counts_and_predicts),
		cmocka_unit_test(counting_tells_of_a_fault),
		cmocka_unit_test(predictions_of_a_list),
		cmocka_unit_test(a_list_is_measured_as_one),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
