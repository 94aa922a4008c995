/* Copies, pipelines and mapped memory through the worker, on the fake GPU and the emulator. */
#include "device_test.h"

#include <stdio.h>

#include "device/transfer.h"

enum { COUNT = 1000 };
static const Define iota = {.kind = DEFINE_IOTA}, sentinel = {.kind = DEFINE_SENTINEL};

/* --- the fake GPU ------------------------------------------------------------------------------------------------- */

static void copies_are_timed(void **state) {
	Device *device = open_device("worker:fake");
	CopyTimes t;
	Err err = ERR_INIT;
	const Copy copy = {.direction = COPY_TO_DEVICE, .memory = HOST_PINNED, .bytes = 10000000};
	assert_done(device_copy(device, &copy, 5, &t, &err), err);
	for (int i = 0; i < 5; i++) assert_float_equal(t.milliseconds[i], 1.008, 1e-4);
	assert_false(t.host_clock);
	assert_int_equal(t.host_bytes, 1 << 20);
	const Copy pageable = {.direction = COPY_FROM_DEVICE, .memory = HOST_PAGEABLE, .bytes = 10000000};
	assert_done(device_copy(device, &pageable, COPY_SAMPLES, &t, &err), err);
	assert_true(t.host_clock);
	assert_float_equal(t.milliseconds[COPY_SAMPLES - 1], 2.008, 1e-4);
	device_close(device);
}

static void copies_that_make_no_sense(void **state) {
	Device *device = open_device("worker:fake"), *emu = open_device("emu");
	CopyTimes t;
	const Copy none = {.bytes = 0}, large = {.bytes = (size_t)COPY_MOST_BYTES + 1}, good = {.bytes = 1};
	Err err = ERR_INIT;
	assert_false(device_copy(device, &none, 1, &t, &err));
	assert_int_equal(err.kind, ERR_USAGE);
	assert_false(device_copy(device, &large, 1, &t, &err));
	assert_false(device_copy(device, &good, 0, &t, &err));
	assert_false(device_copy(device, &good, COPY_SAMPLES + 1, &t, &err));
	assert_false(device_copy(emu, &good, 1, &t, &err));
	assert_text(err.what, "cannot time a copy");
	assert_done(device_copy(device, &good, 1, &t, &err), err);
	device_close(device);
	device_close(emu);
}

typedef struct {
	Device *device;
	DeviceModule *module;
	Buffer in, out;
	Arg args[8][4];
	Launch launches[8];
	PipelineJob job;
} Lab;

/* Each chunk's launch begins at its first element. */
static Lab *open_lab(const char *name, uint32_t chunks, uint32_t streams) {
	Lab *lab = calloc(1, sizeof *lab);
	lab->device = open_device(name);
	lab->module = load_kernels(lab->device);
	lab->in = make_buffer(lab->device, ELEM_F32, COUNT, "in", iota);
	lab->out = make_buffer(lab->device, ELEM_F32, COUNT, "out", sentinel);
	for (uint32_t i = 0; i < chunks; i++) {
		size_t first, count;
		pipeline_chunk(COUNT, chunks, i, &first, &count);
		const Arg args[] = {arg_buffer(lab->out), arg_buffer(lab->in), arg_float(2), arg_int((int)count)};
		memcpy(lab->args[i], args, sizeof args);
		lab->args[i][0].offset = lab->args[i][1].offset = first * sizeof(float);
		lab->launches[i] = (Launch){.kernel = kernel_of(lab->device, lab->module, "scale"),
									.config = {.grid = {8, 1, 1}, .block = {128, 1, 1}},
									.args = lab->args[i],
									.nargs = 4};
	}
	lab->job = (PipelineJob){.shape = {.chunks = chunks, .streams = streams, .memory = HOST_PINNED},
							 .launches = lab->launches,
							 .input = lab->in,
							 .output = lab->out};
	return lab;
}

static void close_lab(Lab *lab) {
	device_close(lab->device);
	free(lab);
}

static void a_pipeline_takes_its_data_along(void **state) {
	Lab *lab = open_lab("worker:fake", 3, 2);
	PipelineTimes *t = calloc(1, sizeof *t);
	LaunchOutcome o;
	Err err = ERR_INIT;
	float out[COUNT], in[COUNT];
	assert_done(device_pipeline(lab->device, &lab->job, t, &o, &err), err);
	assert_int_equal(o.status, LAUNCH_OK);
	assert_true(t->milliseconds > 3 * 0.5);
	assert_int_equal(t->spans[3].chunk, 1);
	assert_int_equal(t->spans[3].stream, 1);
	assert_int_equal(t->spans[4].kind, SPAN_KERNEL);
	for (int i = 1; i < 9; i++) assert_float_equal(t->spans[i].start_ms, t->spans[i - 1].end_ms, 1e-12);
	assert_done(device_download(lab->device, lab->out, 0, out, COUNT, &err), err);
	assert_done(device_download(lab->device, lab->in, 0, in, COUNT, &err), err);
	for (int i = 0; i < COUNT; i++) assert_true(out[i] == 2 * (float)i && in[i] == (float)i);
	free(t);
	close_lab(lab);
}

static void a_chunk_out_of_its_place_is_seen(void **state) {
	Lab *lab = open_lab("worker:fake", 2, 1);
	PipelineTimes *t = calloc(1, sizeof *t);
	LaunchOutcome o;
	Err err = ERR_INIT;
	float out[COUNT];
	lab->args[0][0].offset = lab->args[0][1].offset =
		lab->args[1][0].offset; /* chunk 0 works on what is not there yet */
	assert_done(device_pipeline(lab->device, &lab->job, t, &o, &err), err);
	assert_done(device_download(lab->device, lab->out, 0, out, COUNT, &err), err);
	assert_true(out[0] != out[0]); /* still poison */
	free(t);
	close_lab(lab);
}

static void pipelines_that_make_no_sense(void **state) {
	Lab *lab = open_lab("worker:fake", 2, 2);
	PipelineTimes *t = calloc(1, sizeof *t);
	LaunchOutcome o;
	Err err = ERR_INIT;
	PipelineJob job = lab->job;
	job.output = lab->in;
	assert_false(device_pipeline(lab->device, &job, t, &o, &err));
	assert_text(err.what, "one buffer");
	job.output = make_buffer(lab->device, ELEM_F32, COUNT + 1, "longer", sentinel);
	assert_false(device_pipeline(lab->device, &job, t, &o, &err));
	assert_text(err.what, "the same length");
	job = lab->job;
	job.shape.chunks = PIPELINE_CHUNKS + 1;
	assert_false(device_pipeline(lab->device, &job, t, &o, &err));
	job = lab->job;
	Buffer host;
	assert_done(device_buffer_mapped(lab->device, ELEM_F32, COUNT, "host", iota, &host, &err), err);
	job.input = host;
	assert_false(device_pipeline(lab->device, &job, t, &o, &err));
	assert_text(err.what, "already in host memory");
	job = lab->job;
	job.input = (Buffer){.slot = 99, .generation = 1};
	assert_false(device_pipeline(lab->device, &job, t, &o, &err));
	free(t);
	close_lab(lab);
}

static void a_fault_in_a_pipeline_is_told(void **state) {
	Lab *lab = open_lab("worker:fake", 2, 2);
	PipelineTimes *t = calloc(1, sizeof *t);
	LaunchOutcome o;
	Err err = ERR_INIT;
	const Arg arg = arg_buffer(lab->out);
	lab->launches[1].kernel = kernel_of(lab->device, lab->module, "far_away");
	lab->launches[1].args = &arg;
	lab->launches[1].nargs = 1;
	assert_done(device_pipeline(lab->device, &lab->job, t, &o, &err), err);
	assert_int_equal(o.status, LAUNCH_FAULT);
	Lab *again = open_lab("worker:fake", 2, 2); /* and the next one works */
	assert_done(device_pipeline(again->device, &again->job, t, &o, &err), err);
	assert_int_equal(o.status, LAUNCH_OK);
	free(t);
	close_lab(again);
	close_lab(lab);
}

static bool is_stale(const Lab *lab, Buffer buffer) {
	BufferInfo info;
	Err err = ERR_INIT;
	assert_done(device_buffer_info(lab->device, buffer, &info, &err), err);
	return info.stale;
}

static float float_at(const Lab *lab, Buffer buffer, size_t i) {
	float got;
	Err err = ERR_INIT;
	assert_done(device_download(lab->device, buffer, i, &got, 1, &err), err);
	return got;
}

/* Both buffers were written by kernels, so that nobody could make their content again. */
static Lab *open_written(void) {
	Lab *lab = open_lab("worker:fake", 2, 2);
	const Arg forth[] = {arg_buffer(lab->out), arg_buffer(lab->in), arg_float(3), arg_int(COUNT)},
			  back[] = {arg_buffer(lab->in), arg_buffer(lab->out), arg_float(3), arg_int(COUNT)};
	DeviceKernel *scale = kernel_of(lab->device, lab->module, "scale");
	assert_int_equal(launch(lab->device, scale, 8, 128, forth, 4).status, LAUNCH_OK);
	assert_int_equal(launch(lab->device, scale, 8, 128, back, 4).status, LAUNCH_OK);
	return lab;
}

static void nothing_is_lost_before_a_pipeline_begins(void **state) {
	Lab *lab = open_written();
	PipelineTimes *t = calloc(1, sizeof *t);
	LaunchOutcome o;
	Err err = ERR_INIT;
	lab->job.shape.memory = HOST_WRITE_COMBINED;
	assert_false(device_pipeline(lab->device, &lab->job, t, &o, &err));
	assert_int_equal(err.kind, ERR_SETUP);
	assert_text(err.what, "write-combined");
	assert_false(is_stale(lab, lab->in) || is_stale(lab, lab->out));
	assert_true(float_at(lab, lab->in, 5) == 45 && float_at(lab, lab->out, 5) == 15);
	free(t);
	close_lab(lab);
}

static void a_pipeline_broken_off_leaves_its_input(void **state) {
	for (int refused = 0; refused < 2; refused++) {
		Lab *lab = open_written();
		PipelineTimes *t = calloc(1, sizeof *t);
		LaunchOutcome o = {0};
		Err err = ERR_INIT;
		if (refused) { /* by the GPU, which does not have so many threads a block */
			lab->launches[1].config.block[0] = 2048;
			assert_done(device_pipeline(lab->device, &lab->job, t, &o, &err), err);
			assert_int_equal(o.status, LAUNCH_LIMIT);
		} else {
			lab->launches[1].kernel = kernel_of(lab->device, lab->module, "called");
			lab->launches[1].nargs = 2;
			assert_false(device_pipeline(lab->device, &lab->job, t, &o, &err));
			assert_text(err.what, "no kernel \"called\"");
		}
		assert_false(is_stale(lab, lab->in));
		assert_true(float_at(lab, lab->in, 5) == 45 && float_at(lab, lab->in, COUNT - 1) == 9 * (COUNT - 1));
		assert_true(is_stale(lab, lab->out));
		lab->launches[1] = lab->launches[0];
		lab->launches[1].args = lab->args[1];
		assert_done(device_pipeline(lab->device, &lab->job, t, &o, &err), err);
		assert_true(!is_stale(lab, lab->out) && float_at(lab, lab->out, COUNT - 1) == 18 * (COUNT - 1));
		free(t);
		close_lab(lab);
	}
}

/* --- mapped memory ------------------------------------------------------------------------------------------------ */

static void mapped_buffers(void **state) {
	static const char *const names[] = {"emu", "worker:fake"};
	for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
		Device *device = open_device(names[n]);
		DeviceModule *module = load_kernels(device);
		Buffer in, out = make_buffer(device, ELEM_F32, COUNT, "out", sentinel);
		BufferInfo info;
		Err err = ERR_INIT;
		float got[COUNT];
		assert_done(device_buffer_mapped(device, ELEM_F32, COUNT, "of the host", iota, &in, &err), err);
		assert_done(device_buffer_info(device, in, &info, &err), err);
		assert_true(info.mapped);
		assert_done(device_buffer_info(device, out, &info, &err), err);
		assert_false(info.mapped);
		const Arg args[] = {arg_buffer(out), arg_buffer(in), arg_float(3), arg_int(COUNT)};
		assert_int_equal(launch(device, kernel_of(device, module, "scale"), 8, 128, args, 4).status, LAUNCH_OK);
		assert_done(device_download(device, out, 0, got, COUNT, &err), err);
		assert_true(got[COUNT - 1] == 3 * (COUNT - 1));
		assert_done(device_free(device, in, &err), err);
		assert_false(device_buffer_info(device, in, &info, &err));
		device_close(device);
	}
}

static void not_every_gpu_maps(void **state) {
	Device *device = open_device("emu:8800 GTX");
	Buffer b;
	Err err = ERR_INIT;
	assert_false(device_buffer_mapped(device, ELEM_F32, 4, "b", iota, &b, &err));
	assert_int_equal(err.kind, ERR_SETUP);
	assert_text(err.what, "cannot map host memory");
	device_close(device);
}

int main(int argc, char **argv) {
	const int worker = maybe_worker(argc, argv);
	if (worker >= 0) return worker;
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(copies_are_timed),
		cmocka_unit_test(copies_that_make_no_sense),
		cmocka_unit_test(a_pipeline_takes_its_data_along),
		cmocka_unit_test(a_chunk_out_of_its_place_is_seen),
		cmocka_unit_test(pipelines_that_make_no_sense),
		cmocka_unit_test(a_fault_in_a_pipeline_is_told),
		cmocka_unit_test(nothing_is_lost_before_a_pipeline_begins),
		cmocka_unit_test(a_pipeline_broken_off_leaves_its_input),
		cmocka_unit_test(mapped_buffers),
		cmocka_unit_test(not_every_gpu_maps),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
