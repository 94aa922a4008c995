/* Workers that send nonsense, whatever they are asked: an error or an outcome that says so, and the device works on. */
#include "device_test.h"

#include <stdio.h>

#include "device/backend/messages.h"
#include "device/contents/contents.h"
#include "device/transfer.h"

static const Define sentinel = {.kind = DEFINE_SENTINEL};
enum { COUNT = 16 };

typedef struct {
	Device *device;
	DeviceModule *module; /* NULL: it cannot be loaded */
	Buffer a, b;
	bool has_buffers;
} Lab;

/* --- one question for each call of a backend ---------------------------------------------------------------------- */

static bool make(Lab *lab, Err *err) {
	Buffer more;
	return device_buffer(lab->device, ELEM_F32, COUNT, "more", sentinel, &more, err);
}

static bool upload(Lab *lab, Err *err) {
	const float data[COUNT] = {1, 2, 3};
	return device_upload(lab->device, lab->a, 0, data, COUNT, err);
}

static bool download(Lab *lab, Err *err) {
	float data[COUNT];
	return device_download(lab->device, lab->a, 0, data, COUNT, err);
}

static bool drop(Lab *lab, Err *err) {
	return device_free(lab->device, lab->b, err);
}

static bool load(Lab *lab, Err *err) {
	DeviceModule *module;
	Compiled compiled = {.cc = 75, .ptx = (char *)kernels_ptx()};
	compiled.ptx_bytes = strlen(compiled.ptx);
	const bool ok = device_load(lab->device, &compiled, &module, err);
	if (ok) lab->module = module;
	return ok;
}

static bool unload(Lab *lab, Err *err) {
	(void)err;
	device_unload(lab->device, lab->module);
	lab->module = NULL;
	return true;
}

static const TextureDesc a_texture = {.type = ELEM_F32, .channels = 1, .width = COUNT, .address = {1, 1, 1}};

static bool texture(Lab *lab, Err *err) {
	Buffer made;
	return device_texture(lab->device, &a_texture, lab->a, "texture", &made, err);
}

static bool texture_free(Lab *lab, Err *err) {
	Buffer made;
	return device_texture(lab->device, &a_texture, lab->a, "texture", &made, err) &&
		   device_free(lab->device, made, err);
}

static bool symbol(Lab *lab, Err *err) {
	uint32_t number;
	const int ticks = 3;
	return device_symbol(lab->module, "ticks", &number, err) &&
		   device_symbol_upload(lab->device, lab->module, number, 0, &ticks, sizeof ticks, err);
}

static bool info(Lab *lab, Err *err) {
	KernelInfo got;
	return device_kernel_info(lab->device, kernel_of(lab->device, lab->module, "scale"), &got, err);
}

static bool occupancy(Lab *lab, Err *err) {
	Occupancy got;
	return device_occupancy(lab->device, kernel_of(lab->device, lab->module, "scale"), 32, 0, &got, err);
}

static bool has_library(Lab *lab, Err *err) {
	return device_has_library(lab->device, LIBRARY_MEMCPY, err);
}

static bool moved(Lab *lab, Err *err) {
	Unwritten unwritten;
	return device_ready(lab->device, err) &&
		   backend_moved(lab->device->main.backend, (Moved){.width = 4, .rows = 1}, &unwritten, err);
}

/* A launch that goes wrong is an outcome. */
static bool submit(Lab *lab, Err *err) {
	const Arg args[] = {arg_buffer(lab->a), arg_buffer(lab->b), arg_float(2), arg_int(COUNT)};
	const LaunchOutcome o = launch(lab->device, kernel_of(lab->device, lab->module, "scale"), 1, COUNT, args, 4);
	assert_int_equal(o.status, LAUNCH_FAULT);
	assert_int_equal(o.fault.kind, FAULT_UNKNOWN);
	return err_set(err, ERR_SETUP, "%.500s", o.message);
}

static bool copy(Lab *lab, Err *err) {
	CopyTimes times;
	return device_copy(lab->device, &(Copy){.direction = COPY_TO_DEVICE, .bytes = 100}, 3, &times, err);
}

static bool run_pipeline(Lab *lab, Err *err) {
	const Arg args[] = {arg_buffer(lab->b), arg_buffer(lab->a), arg_float(2), arg_int(COUNT)};
	const Launch launch = {.kernel = kernel_of(lab->device, lab->module, "scale"),
						   .config = {.grid = {1, 1, 1}, .block = {COUNT, 1, 1}},
						   .args = args,
						   .nargs = 4};
	const PipelineJob job = {.shape = {.chunks = 1, .streams = 1, .memory = HOST_PINNED},
							 .launches = &launch,
							 .input = lab->a,
							 .output = lab->b};
	PipelineTimes *times = calloc(1, sizeof *times);
	LaunchOutcome o;
	const bool ok = device_pipeline(lab->device, &job, times, &o, err);
	free(times);
	if (!ok) return false;
	assert_int_equal(o.status, LAUNCH_FAULT);
	return err_set(err, ERR_SETUP, "%.500s", o.message);
}

/* A stepped launch has a device of its own; here it is this one's worker that is asked. */
static bool step_open(Lab *lab, Err *err) {
	StepOpened opened;
	const BackendLaunch launch = {
		.module = lab->module->number, .linked_name = "scale", .config = {.grid = {1, 1, 1}, .block = {COUNT, 1, 1}}};
	return device_ready(lab->device, err) &&
		   backend_step_open(lab->device->main.backend, (StepOpen){launch}, &opened, err);
}

static bool step_go(Lab *lab, Err *err) {
	StepMoment moment;
	return device_ready(lab->device, err) &&
		   backend_step_go(lab->device->main.backend, (StepGo){.count = 1}, &moment, err);
}

static bool step_read(Lab *lab, Err *err) {
	StepValues values;
	const StepExpression one = {"#1:s32"};
	return device_ready(lab->device, err) &&
		   backend_step_read(lab->device->main.backend, (StepRead){&one, 1}, &values, err);
}

static bool step_close(Lab *lab, Err *err) {
	return device_ready(lab->device, err) && backend_step_close(lab->device->main.backend, (Nothing){0}, NULL, err);
}

/* In the order of the table; open is another matter. */
static const struct {
	const char *call;
	bool (*ask)(Lab *lab, Err *err);
	bool silent; /* nothing can be made of its failure, and nothing has to be */
	bool emulator;
} questions[] = {{"upload", upload, false, false},
				 {"download", download, false, false},
				 {"alloc", make, false, false},
				 {"free", drop, true, false},
				 {"moved", moved, false, false},
				 {"fill", make, false, false},
				 {"texture", texture, false, true},
				 {"texture_free", texture_free, true, true},
				 {"texture_copy", texture, false, true},
				 {"load", load, false, false},
				 {"unload", unload, true, false},
				 {"symbol", symbol, false, false},
				 {"kernel_info", info, false, false},
				 {"occupancy", occupancy, false, false},
				 {"has_library", has_library, false, false},
				 {"step_open", step_open, false, false},
				 {"step_go", step_go, false, false},
				 {"step_read", step_read, false, false},
				 {"step_close", step_close, false, false},
				 {"submit", submit, false, false},
				 {"copy", copy, false, false},
				 {"pipeline", run_pipeline, false, false}};
enum { QUESTIONS = sizeof questions / sizeof *questions };
static const char *const kinds[] = {"noise", "sequence", "bytes", "ok", "type", "length"};
enum { KINDS = sizeof kinds / sizeof *kinds };

static void no_call_is_forgotten(void **state) {
	enum { TO_GATEWAYS = MESSAGE_unlock - MESSAGE_enter + 1 }; /* test_remote.c */
	assert_int_equal(QUESTIONS, MESSAGES - 1 - TO_GATEWAYS);
	for (int i = 0; i < QUESTIONS; i++) {
		bool found = false;
		for (int k = 0; k < MESSAGES; k++) found |= strcmp(messages[k].name, questions[i].call) == 0;
		assert_true(found);
	}
}

/* Only what works on such a device is there. */
static Lab open_lab(const char *name, const char *call) {
	Lab lab = {.device = open_device(name)};
	Err err = ERR_INIT;
	lab.has_buffers = device_buffer(lab.device, ELEM_F32, COUNT, "a", sentinel, &lab.a, &err) &&
					  device_buffer(lab.device, ELEM_F32, COUNT, "b", sentinel, &lab.b, &err);
	assert_int_equal(lab.has_buffers, strcmp(call, "alloc") != 0 && strcmp(call, "fill") != 0);
	const bool loaded = load(&lab, &err);
	assert_int_equal(loaded, strcmp(call, "load") != 0);
	return lab;
}

static void ask(const char *kind, int q) {
	char name[64];
	pid_t left[4];
	const char *call = questions[q].call;
	snprintf(name, sizeof name, "worker:fake%s:mad:%s:%s", questions[q].emulator ? ":emu" : "", kind, call);
	Lab lab = open_lab(name, call);
	for (int round = 0; round < 2; round++) {
		Err err = ERR_INIT;
		const bool ok = questions[q].ask(&lab, &err);
		if (ok != questions[q].silent) fail_msg("%s answered with %s: %s", call, kind, ok ? "fine" : err.what);
		if (questions[q].silent) break;
		assert_int_equal(err.kind, ERR_SETUP);
		assert_text(err.what, "invalid message");
	}
	/* all else is as it was */
	Err err = ERR_INIT;
	CopyTimes times;
	if (questions[q].emulator)
		assert_done(download(&lab, &err), err);
	else if (strcmp(call, "copy") != 0)
		assert_done(device_copy(lab.device, &(Copy){.bytes = 100}, 3, &times, &err), err);
	device_close(lab.device);
	assert_int_equal(children(left, 4), 0);
}

static void nonsense_of_every_kind_to_every_call(void **state) {
	for (int k = 0; k < KINDS; k++)
		for (int q = 0; q < QUESTIONS; q++) ask(kinds[k], q);
}

static void nonsense_at_the_opening(void **state) {
	for (int k = 0; k < KINDS; k++) {
		char name[64];
		Device *d = NULL;
		Err err = ERR_INIT;
		snprintf(name, sizeof name, "worker:fake:mad:%s:open", kinds[k]);
		assert_false(device_open(name, &d, &err));
		assert_null(d);
		assert_text(err.what, "invalid message");
		assert_text(err.hint, "GPULAB_WORKER");
	}
}

/* --- answers to another question ---------------------------------------------------------------------------------- */

static void samples_that_were_not_asked_for(void **state) {
	static const char *const names[] = {"worker:fake:mad:more:size", "worker:fake:mad:fewer:size"};
	for (int i = 0; i < 2; i++) {
		Lab lab = open_lab(names[i], "submit");
		const Arg args[] = {arg_buffer(lab.a), arg_buffer(lab.b), arg_float(2), arg_int(COUNT)};
		const Launch call = {.kernel = kernel_of(lab.device, lab.module, "scale"),
							 .config = {.grid = {1, 1, 1}, .block = {COUNT, 1, 1}},
							 .args = args,
							 .nargs = 4};
		Sample samples[3];
		LaunchOutcome o;
		Err err = ERR_INIT;
		assert_done(
			take_samples(lab.device, LIST_OF(&call), &(SampleConfig){.count = 3, .batch = 1}, samples, &o, &err), err);
		assert_int_equal(o.status, LAUNCH_FAULT);
		assert_text(o.message, "invalid message");
		device_close(lab.device);
	}
}

/* Who asked relies on a row for each item and a prediction for each model. */
static void rows_that_are_missing(void **state) {
	static const char *const kinds_of_size[] = {"fewer:size", "rows:size"};
	for (int i = 0; i < 2; i++) {
		setenv("TEST_MAD_EMULATOR", kinds_of_size[i], 1);
		Lab lab = open_lab("emu", "submit");
		const Arg args[] = {arg_buffer(lab.a), arg_buffer(lab.b), arg_float(2), arg_int(COUNT)};
		const LaunchItem item = {.launch = {.kernel = kernel_of(lab.device, lab.module, "scale"),
											.config = {.grid = {1, 1, 1}, .block = {COUNT, 1, 1}},
											.args = args,
											.nargs = 4}};
		const LaunchItem items[] = {item, item};
		const Gpu *models[] = {gpu_default(), gpu_find("GTX 280", NULL)};
		const Ask ask = {.mode = MODE_PREDICT, .models = models, .nmodels = 2};
		Answer answer = {0};
		Err err = ERR_INIT;
		assert_done(device_submit(lab.device, &(LaunchList){.items = items, .nitems = 2}, &ask, &answer, &err), err);
		assert_int_equal(answer.outcome.status, LAUNCH_FAULT);
		assert_text(answer.outcome.message, "invalid message");
		assert_int_equal(answer.nitems, 2);
		answer_free(&answer);
		device_close(lab.device);
		unsetenv("TEST_MAD_EMULATOR");
	}
}

int main(int argc, char **argv) {
	int status = maybe_worker(argc, argv);
	if (status >= 0) return status;
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_call_is_forgotten),    cmocka_unit_test(nonsense_of_every_kind_to_every_call),
		cmocka_unit_test(nonsense_at_the_opening), cmocka_unit_test(samples_that_were_not_asked_for),
		cmocka_unit_test(rows_that_are_missing),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
