/* Copies and pipelines measured on the fake GPU, whose times are known, and predicted on the emulator. */
#include "device_test.h"

#include <stdio.h>

#include "base/cancel.h"
#include "measure/transfer.h"

enum { COUNT = 1024, CHUNKS = 4 };
static const Define iota = {.kind = DEFINE_IOTA}, sentinel = {.kind = DEFINE_SENTINEL};

static void copies_are_measured(void **state) {
	Device *device = open_device("worker:fake");
	CopyMeasurement m;
	LaunchOutcome o = {0};
	Err err = ERR_INIT;
	const Copy copy = {COPY_TO_DEVICE, HOST_WRITE_COMBINED, 10000000};
	assert_done(measure_copy(device, &copy, NULL, &m, &o, &err), err);
	assert_int_equal(m.times.kind, RATE_MEASURED);
	assert_float_equal(m.times.median_ms, 1.008, 1e-4);
	assert_true(m.times.min_ms <= m.times.q1_ms && m.times.q1_ms <= m.times.q3_ms && m.times.samples >= 8);
	assert_false(m.host_clock);
	assert_true(m.host_write_gbps > 50 * m.host_read_gbps); /* such memory is not cached */
	const Copy pageable = {COPY_FROM_DEVICE, HOST_PAGEABLE, 1000};
	assert_done(
		measure_copy(device, &pageable, &(MeasureConfig){.wall_cap_s = 0.05, .lock = {.none = true}}, &m, &o, &err),
		err);
	assert_true(m.host_clock && m.times.unlocked);
	assert_text(m.times.note, "without the GPU");
	device_close(device);
}

static void copies_are_predicted(void **state) {
	Device *device = open_device("emu:GTX 280");
	CopyMeasurement m;
	LaunchOutcome o = {0};
	Err err = ERR_INIT;
	const Copy large = {COPY_TO_DEVICE, HOST_PINNED, 1 << 28}, small = {COPY_TO_DEVICE, HOST_PINNED, 16},
			   pageable = {COPY_TO_DEVICE, HOST_PAGEABLE, 1 << 28};
	assert_done(measure_copy(device, &large, NULL, &m, &o, &err), err);
	assert_int_equal(m.times.kind, RATE_PREDICTED);
	assert_float_equal(large.bytes / (m.times.median_ms * 1e6), 6, 0.01);
	assert_string_equal(m.times.prediction.bound, "PCIe");
	assert_string_equal(m.times.prediction.gpu->name, "GTX 280");
	assert_string_equal(predict_copy(gpu_default(), &small).bound, "the cost of a copy");
	assert_string_equal(predict_copy(gpu_default(), &pageable).bound, "the host's own copy");
	device_close(device);
}

typedef struct {
	Device *device;
	DeviceModule *module;
	Arg args[CHUNKS][4];
	Launch launches[CHUNKS];
	PipelineJob job;
} Lab;

static void open_lab(Lab *lab, const char *name) {
	lab->device = open_device(name);
	lab->module = load_kernels(lab->device);
	lab->job = (PipelineJob){.shape = {.chunks = CHUNKS, .streams = 2, .memory = HOST_PINNED},
							 .launches = lab->launches,
							 .input = make_buffer(lab->device, ELEM_F32, COUNT, "in", iota),
							 .output = make_buffer(lab->device, ELEM_F32, COUNT, "out", sentinel)};
	for (uint32_t i = 0; i < CHUNKS; i++) {
		size_t first, count;
		pipeline_chunk(COUNT, CHUNKS, i, &first, &count);
		const Arg args[] = {arg_buffer(lab->job.output), arg_buffer(lab->job.input), arg_float(2), arg_int((int)count)};
		memcpy(lab->args[i], args, sizeof args);
		lab->args[i][0].offset = lab->args[i][1].offset = first * sizeof(float);
		lab->launches[i] = (Launch){.kernel = kernel_of(lab->device, lab->module, "scale"),
									.config = {.grid = {2, 1, 1}, .block = {128, 1, 1}},
									.args = lab->args[i],
									.nargs = 4};
	}
}

static void results_are_right(Lab *lab) {
	float out[COUNT];
	Err err = ERR_INIT;
	assert_done(device_download(lab->device, lab->job.output, 0, out, COUNT, &err), err);
	for (int i = 0; i < COUNT; i++) assert_true(out[i] == 2 * (float)i);
}

static void pipelines_are_measured(void **state) {
	Lab lab;
	PipelineMeasurement *m = calloc(3, sizeof *m);
	const Gpu *models[] = {gpu_find("GTX 280", NULL), gpu_find("H200", NULL)};
	LaunchOutcome o = {0};
	Err err = ERR_INIT;
	open_lab(&lab, "worker:fake");
	assert_done(measure_pipeline(lab.device, &lab.job, NULL, models, 2, m, m + 1, &o, &err), err);
	assert_int_equal(m->kind, RATE_MEASURED);
	assert_true(m->known && m->samples >= 3);
	assert_float_equal(m->times.milliseconds, CHUNKS * (0.5 + 2 * (0.008 + 1024 / 10e6)), 1e-9);
	for (int i = 1; i <= 2; i++) {
		assert_int_equal(m[i].kind, RATE_PREDICTED);
		assert_true(m[i].known && m[i].times.milliseconds > 0);
	}
	assert_true(m[1].times.milliseconds > m[2].times.milliseconds);
	results_are_right(&lab);
	device_close(lab.device);
	free(m);
}

static void pipelines_are_predicted(void **state) {
	Lab lab;
	PipelineMeasurement *m = calloc(2, sizeof *m);
	LaunchOutcome o = {0};
	Err err = ERR_INIT;
	open_lab(&lab, "emu");
	assert_done(measure_pipeline(lab.device, &lab.job, NULL, NULL, 0, m, NULL, &o, &err), err);
	assert_int_equal(m->kind, RATE_PREDICTED);
	assert_true(m->known && m->times.milliseconds > 0 && *m->bound);
	assert_true(m->times.spans[0].start_ms == 0 && m->times.spans[0].end_ms > 0);
	results_are_right(&lab);
	device_close(lab.device);
	free(m);
}

/* What a buffer is goes into the twin, too: counting on a GPU knows of mapped memory. */
static void models_hear_of_mapped_memory(void **state) {
	static const char *const names[] = {"emu", "worker:fake"};
	for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
		Lab lab;
		Buffer host;
		CountReport r;
		Err err = ERR_INIT;
		double ms[2];
		const Gpu *model = gpu_find("8800 GTX", NULL), *gtx = gpu_find("GTX 280", NULL);
		const Gpu *models[] = {gtx, model};
		open_lab(&lab, names[n]);
		assert_done(device_buffer_mapped(lab.device, ELEM_F32, COUNT, "host", iota, &host, &err), err);
		for (int mapped = 0; mapped < 2; mapped++) {
			if (mapped) lab.args[0][1] = arg_buffer(host);
			assert_done(count_launches(lab.device, LIST_OF(&lab.launches[0]), gtx, models, 2, NULL, &r, NULL, &err),
						err);
			ms[mapped] = r.predictions[0].milliseconds;
			assert_int_equal(r.predictions[1].known, !mapped); /* the 8800 GTX cannot */
			count_report_free(&r);
		}
		assert_true(ms[1] > ms[0]);
		device_close(lab.device);
	}
}

static void a_kernel_that_goes_wrong_is_told_with_its_place(void **state) {
	Lab lab;
	PipelineMeasurement *m = calloc(1, sizeof *m);
	LaunchOutcome o = {0};
	Err err = ERR_INIT;
	open_lab(&lab, "emu");
	lab.args[2][3] = arg_int(COUNT); /* past the end of both */
	lab.launches[2].config.grid[0] = COUNT / 128;
	assert_false(measure_pipeline(lab.device, &lab.job, NULL, NULL, 0, m, NULL, &o, &err));
	assert_int_equal(err.kind, ERR_FAULT);
	assert_int_equal(o.status, LAUNCH_FAULT);
	assert_string_equal(o.fault.kernel, "scale");
	device_close(lab.device);
	free(m);
}

static void ctrl_c_ends_it(void **state) {
	Lab lab;
	PipelineMeasurement *m = calloc(1, sizeof *m);
	CopyMeasurement c;
	LaunchOutcome o = {0};
	Err err = ERR_INIT;
	open_lab(&lab, "worker:fake");
	atomic_store(&cancel_flag, true);
	assert_false(measure_copy(lab.device, &(Copy){COPY_TO_DEVICE, HOST_PINNED, 8}, NULL, &c, &o, &err));
	assert_int_equal(err.kind, ERR_INTERRUPTED);
	assert_false(measure_pipeline(lab.device, &lab.job, NULL, NULL, 0, m, NULL, &o, &err));
	atomic_store(&cancel_flag, false);
	assert_done(measure_copy(lab.device, &(Copy){COPY_TO_DEVICE, HOST_PINNED, 8}, NULL, &c, &o, &err), err);
	device_close(lab.device);
	free(m);
}

int main(int argc, char **argv) {
	const int worker = maybe_worker(argc, argv);
	if (worker >= 0) return worker;
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(copies_are_measured),
		cmocka_unit_test(copies_are_predicted),
		cmocka_unit_test(pipelines_are_measured),
		cmocka_unit_test(pipelines_are_predicted),
		cmocka_unit_test(models_hear_of_mapped_memory),
		cmocka_unit_test(a_kernel_that_goes_wrong_is_told_with_its_place),
		cmocka_unit_test(ctrl_c_ends_it),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
