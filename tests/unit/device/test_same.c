/* What an emulator's worker answers is what a machine of the same GPU finds in this process: counts, predictions,
 * findings. The GPU crosses by value, so that derived and calibrated ones are the same on both sides. */
#include "device_test.h"

#include "../gpu/fields.h"
#include "emu/machine.h"

enum { COUNT = 4096 };
static const Define sentinel = {.kind = DEFINE_SENTINEL};
static const Define iota = {.kind = DEFINE_IOTA};

/* The same kernels on both sides: out and in are buffers of COUNT elements, made in that order after the module. */
static const struct {
	const char *kernel;
	uint32_t nargs;
} launches[] = {{"scale", 4}, {"increment", 2}, {"weigh", 1}};
enum { LAUNCHES = sizeof launches / sizeof *launches };
static const LaunchConfig shape = {.grid = {COUNT / 128, 1, 1}, .block = {128, 1, 1}, .repeatable = true};
static const unsigned checks = CHECK_ALL;

/* --- in this process ---------------------------------------------------------------------------------------------- */

typedef struct {
	Machine *machine;
	PtxModule *ptx;
	EmuModule *module;
	uint64_t out, in;
} Direct;

static Direct open_direct(const Gpu *gpu) {
	Direct d = {.machine = machine_open(gpu, 0)};
	float data[COUNT];
	Err err = ERR_INIT;
	d.ptx = ptx_parse(kernels_ptx(), strlen(kernels_ptx()), &err);
	assert_non_null(d.ptx);
	assert_done(machine_load(d.machine, d.ptx, &d.module, &err), err);
	assert_done(machine_alloc(d.machine, sizeof data, "out", &d.out, &err), err);
	assert_done(machine_alloc(d.machine, sizeof data, "in", &d.in, &err), err);
	elem_fill_iota(ELEM_F32, data, COUNT, 0);
	assert_done(machine_write(d.machine, d.in, data, sizeof data, &err), err);
	return d;
}

static void close_direct(Direct *d) {
	machine_close(d->machine);
	ptx_free(d->ptx);
}

static void run_direct(Direct *d, int which, Observer **observers, size_t n) {
	const EmuKernel *kernel = emu_kernel(d->module, launches[which].kernel);
	const PtxFunction *f = emu_kernel_function(kernel);
	const float by = 2;
	const int count = COUNT;
	const void *scale[] = {&d->out, &d->in, &by, &count}, *increment[] = {&d->out, &count}, *weigh[] = {&d->out};
	const void **const args[] = {scale, increment, weigh};
	uint8_t params[64] = {0};
	LaunchOutcome o;
	Err err = ERR_INIT;
	for (uint32_t i = 0; i < f->nparams; i++)
		memcpy(params + f->params[i]->offset, args[which][i], f->params[i]->bytes);
	const EmuLaunch call = {
		.config = shape, .params = params, .param_bytes = f->param_bytes, .observers = observers, .nobservers = n};
	assert_done(machine_launch(d->machine, kernel, &call, &o, &err), err);
	assert_int_equal(o.status, LAUNCH_OK);
}

/* --- through the worker ------------------------------------------------------------------------------------------- */

typedef struct {
	Device *device;
	DeviceModule *module;
	Buffer out, in;
} Lab;

static Lab open_lab(const char *name) {
	Lab lab = {.device = open_device(name)};
	lab.module = load_kernels(lab.device);
	lab.out = make_buffer(lab.device, ELEM_F32, COUNT, "out", sentinel);
	lab.in = make_buffer(lab.device, ELEM_F32, COUNT, "in", iota);
	return lab;
}

static Answer ask_lab(Lab *lab, int which, const Ask *ask) {
	const Arg scale[] = {arg_buffer(lab->out), arg_buffer(lab->in), arg_float(2), arg_int(COUNT)},
			  increment[] = {arg_buffer(lab->out), arg_int(COUNT)}, weigh[] = {arg_buffer(lab->out)};
	const Arg *const args[] = {scale, increment, weigh};
	const Launch call = {.kernel = kernel_of(lab->device, lab->module, launches[which].kernel),
						 .config = shape,
						 .args = args[which],
						 .nargs = launches[which].nargs};
	Answer answer = {0};
	Err err = ERR_INIT;
	assert_done(device_submit(lab->device, LIST_OF(&call), ask, &answer, &err), err);
	assert_int_equal(answer.outcome.status, LAUNCH_OK);
	assert_int_equal(answer.nitems, 1);
	return answer;
}

/* --- the same ----------------------------------------------------------------------------------------------------- */

static void same_line(const LineCounts *a, const LineCounts *b) {
	assert_string_equal(a->file, b->file);
	assert_int_equal(a->line, b->line);
	assert_memory_equal(&a->counts, &b->counts, sizeof a->counts);
	assert_int_equal(a->worst.valid, b->worst.valid);
	assert_int_equal(a->worst.kind, b->worst.kind);
	assert_int_equal(a->worst.space, b->worst.space);
	assert_int_equal(a->worst.mask, b->worst.mask);
	assert_int_equal(a->worst.cost, b->worst.cost);
	assert_int_equal(a->worst.ideal, b->worst.ideal);
	if (a->worst.valid) assert_memory_equal(a->worst.addr, b->worst.addr, sizeof a->worst.addr);
}

static void same_prediction(const Prediction *a, const Prediction *b) {
	assert_int_equal(a->known, b->known);
	assert_true(a->known && a->milliseconds > 0);
	assert_true(a->milliseconds == b->milliseconds && a->error == b->error);
	assert_string_equal(a->bound, b->bound);
	assert_string_equal(a->note, b->note);
	assert_int_equal(a->blocks_per_sm, b->blocks_per_sm);
	assert_int_equal(a->warps_per_sm, b->warps_per_sm);
	assert_int_equal(a->npartitions, b->npartitions);
	assert_memory_equal(a->partition_bytes, b->partition_bytes, sizeof a->partition_bytes);
	assert_memory_equal(a->partition_pages, b->partition_pages, sizeof a->partition_pages);
}

static void same_finding(const Finding *a, const Finding *b) {
	assert_int_equal(a->check, b->check);
	assert_int_equal(a->nsites, b->nsites);
	for (uint32_t i = 0; i < a->nsites; i++) {
		assert_string_equal(a->site[i].file, b->site[i].file);
		assert_int_equal(a->site[i].line, b->site[i].line);
		assert_string_equal(a->site[i].access, b->site[i].access);
		assert_memory_equal(a->site[i].block, b->site[i].block, sizeof a->site[i].block);
		assert_memory_equal(a->site[i].thread, b->site[i].thread, sizeof a->site[i].thread);
	}
	assert_string_equal(a->space, b->space);
	assert_string_equal(a->buffer, b->buffer);
	assert_int_equal(a->offset, b->offset);
	assert_int_equal(a->buffer_bytes, b->buffer_bytes);
	assert_int_equal(a->count, b->count);
	assert_string_equal(a->message, b->message);
	assert_string_equal(a->hint, b->hint);
}

/* Counted by the rules of the GPU itself, predicted for it and for another. Returns the prediction for the first. */
static Prediction counts_and_predicts_the_same(const char *name, const Gpu *gpu, const Gpu *model, int which) {
	const Gpu *models[] = {gpu, model};
	const Ask ask = {.mode = MODE_COUNT, .rules = gpu, .models = models, .nmodels = 2};
	Lab lab = open_lab(name);
	Direct direct = open_direct(gpu);
	Answer answer = ask_lab(&lab, which, &ask);
	device_close(lab.device); /* the answer is its owner's */

	Counters *counters = counters_new(gpu);
	Model *own = model_new(gpu), *other = model_new(model);
	Observer *observers[] = {&counters->base, model_observer(own), model_observer(other)};
	size_t n;
	run_direct(&direct, which, observers, 3);
	LineCounts *lines = counters_by_line(counters, direct.ptx, &n);
	const Counts total = counters_total(counters);
	const Prediction predictions[] = {model_predict(own), model_predict(other)};
	const ItemAnswer *item = &answer.items[0];
	assert_true(total.warp_instructions > 0);
	assert_memory_equal(&item->total, &total, sizeof total);
	assert_true(n > 0);
	assert_int_equal(item->nlines, n);
	for (size_t i = 0; i < n; i++) same_line(&lines[i], &item->lines[i]);
	assert_int_equal(item->npredictions, 2);
	for (int i = 0; i < 2; i++) {
		same_prediction(&predictions[i], &item->predictions[i]);
		assert_ptr_equal(item->predictions[i].gpu, models[i]); /* this side's record, not the worker's */
	}
	free(lines);
	counters_free(counters);
	model_free(own);
	model_free(other);
	close_direct(&direct);
	answer_free(&answer);
	return predictions[0];
}

static void counts_and_predictions(void **state) {
	const Gpu *old = gpu_find("GTX 280", NULL), *modern = gpu_default();
	for (int which = 0; which < LAUNCHES; which++) {
		counts_and_predicts_the_same("emu", modern, old, which);
		counts_and_predicts_the_same("emu:GTX 280", old, modern, which);
	}
}

static void findings(void **state) {
	const Gpu *gpu = gpu_default();
	size_t found = 0;
	for (int which = 0; which < LAUNCHES; which++) {
		Lab lab = open_lab("emu");
		Direct direct = open_direct(gpu);
		Answer answer = ask_lab(&lab, which, &(Ask){.mode = MODE_CHECK, .checks = checks});
		CheckSet *set = checks_new(gpu, checks);
		size_t nobservers, n;
		Observer **observers = checks_observers(set, &nobservers);
		machine_track_fresh(direct.machine, direct.out);
		run_direct(&direct, which, observers, nobservers);
		const Finding *list = checks_findings(set, &n);
		assert_int_equal(answer.items[0].nfindings, n);
		for (size_t i = 0; i < n; i++) same_finding(&list[i], &answer.items[0].findings[i]);
		found += n;
		checks_free(set);
		close_direct(&direct);
		answer_free(&answer);
		device_close(lab.device);
	}
	assert_true(found >= 2); /* increment reads what no thread wrote; weigh's blocks write one place */
}

static const Gpu *derive(const char *base, const char *name, const char *field, double value) {
	const FieldChange change = {field_named(field), value};
	Err err = ERR_INIT;
	const Gpu *gpu = gpu_derive(gpu_find(base, NULL), name, &change, 1, &err);
	if (!gpu) fail_msg("%s", err.what);
	return gpu;
}

/* A GPU that only this process knows, as the device and as a model of another. */
static void derived_gpus(void **state) {
	const Gpu *old = gpu_find("GTX 280", NULL), *modern = gpu_default();
	const Gpu *slow = derive("GTX 280", "slow one", "shader_ghz", 0.4),
			  *few = derive(modern->name, "few SMs", "sms", 3);
	for (int which = 0; which < LAUNCHES; which++) {
		const Prediction as_device = counts_and_predicts_the_same("emu:slow one", slow, few, which);
		const Prediction built = counts_and_predicts_the_same("emu:GTX 280", old, slow, which);
		assert_true(as_device.milliseconds > built.milliseconds);
		counts_and_predicts_the_same("emu:few SMs", few, modern, which);
	}
	/* the name finds another now: a new device has it, and one that is open keeps its own */
	Lab before = open_lab("emu:slow one");
	const Gpu *slower = derive("GTX 280", "slow one", "shader_ghz", 0.1);
	const Gpu *models[] = {slow};
	const Ask ask = {.mode = MODE_PREDICT, .models = models, .nmodels = 1};
	Answer first = ask_lab(&before, 0, &ask);
	models[0] = slower;
	Answer second = ask_lab(&before, 0, &ask);
	assert_true(second.items[0].predictions[0].milliseconds > first.items[0].predictions[0].milliseconds);
	assert_true(device_info(before.device)->clock_ghz == 0.4);
	counts_and_predicts_the_same("emu:slow one", slower, slow, 0);
	answer_free(&first);
	answer_free(&second);
	device_close(before.device);
}

/* The last of the tests: what is calibrated stays so. */
static void calibrated_values(void **state) {
	const Gpu *old = gpu_find("GTX 280", NULL), *modern = gpu_default();
	const FieldChange change = {field_named("launch_us"), modern->launch_us * 3 + 1};
	Err err = ERR_INIT;
	Lab open_before = open_lab("emu");
	const Gpu *models[] = {modern};
	const Ask ask = {.mode = MODE_PREDICT, .models = models, .nmodels = 1};
	Answer first = ask_lab(&open_before, 0, &ask);
	assert_done(gpu_calibrate(modern->name, &change, 1, &err), err);
	Answer second = ask_lab(&open_before, 0, &ask);
	assert_true(second.items[0].predictions[0].milliseconds > first.items[0].predictions[0].milliseconds);
	for (int which = 0; which < LAUNCHES; which++) {
		const Prediction p = counts_and_predicts_the_same("emu", modern, old, which);
		if (which == 0) assert_true(p.milliseconds == second.items[0].predictions[0].milliseconds);
	}
	answer_free(&first);
	answer_free(&second);
	device_close(open_before.device);
}

/* --- whose an answer is ------------------------------------------------------------------------------------------- */

static void answers_outlive_the_next_call(void **state) {
	const Gpu *models[] = {gpu_default()};
	const Ask count = {.mode = MODE_COUNT, .rules = models[0], .models = models, .nmodels = 1},
			  check = {.mode = MODE_CHECK, .checks = checks};
	Lab lab = open_lab("emu");
	Answer found = ask_lab(&lab, 1, &check), first = ask_lab(&lab, 0, &count);
	assert_true(found.items[0].nfindings > 0);
	const Finding finding = found.items[0].findings[0];
	const LineCounts line = first.items[0].lines[0];
	const Prediction prediction = first.items[0].predictions[0];
	char file[256];
	strcpy(file, line.file);
	for (int i = 0; i < 20; i++) {
		Answer other = ask_lab(&lab, i % LAUNCHES, i % 2 ? &count : &check);
		answer_free(&other);
	}
	device_close(lab.device);
	same_finding(&finding, &found.items[0].findings[0]);
	same_line(&line, &first.items[0].lines[0]);
	same_prediction(&prediction, &first.items[0].predictions[0]);
	assert_string_equal(first.items[0].lines[0].file, file);
	answer_free(&first);
	answer_free(&found);
}

/* --- rehearsals --------------------------------------------------------------------------------------------------- */

static int ticks_of(Lab *lab) {
	uint32_t number;
	int value = 0;
	Err err = ERR_INIT;
	assert_done(device_symbol(lab->module, "ticks", &number, &err), err);
	assert_done(device_symbol_download(lab->device, lab->module, number, 0, &value, sizeof value, &err), err);
	return value;
}

static void a_rehearsal_leaves_no_trace(void **state) {
	const Gpu *models[] = {gpu_default()};
	static const SubmitMode modes[] = {MODE_COUNT, MODE_CHECK, MODE_PREDICT};
	Lab lab = open_lab("emu");
	float before[COUNT], after[COUNT];
	BufferInfo info;
	Err err = ERR_INIT;
	assert_done(device_define(lab.device, lab.out, (Define){.kind = DEFINE_RANDOM, .seed = 3}, &err), err);
	assert_done(device_download(lab.device, lab.out, 0, before, COUNT, &err), err);
	for (int m = 0; m < 3; m++)
		for (int which = 0; which < LAUNCHES; which++) {
			const Ask ask = {.mode = modes[m],
							 .rules = models[0],
							 .models = models,
							 .nmodels = 1,
							 .checks = checks,
							 .rehearse = true};
			Answer answer = ask_lab(&lab, which, &ask);
			if (modes[m] == MODE_COUNT) assert_true(answer.items[0].total.global_store_requests > 0);
			answer_free(&answer);
			assert_done(device_download(lab.device, lab.out, 0, after, COUNT, &err), err);
			assert_memory_equal(before, after, sizeof before);
			assert_int_equal(ticks_of(&lab), 7);
		}
	assert_done(device_buffer_info(lab.device, lab.out, &info, &err), err);
	assert_true(info.written); /* that is still noted */

	/* one that goes wrong on the way, too */
	const Arg past[] = {arg_buffer(lab.out), arg_int(COUNT)};
	const Launch call = {.kernel = kernel_of(lab.device, lab.module, "past_end"),
						 .config = {.grid = {COUNT / 128 + 1, 1, 1}, .block = {128, 1, 1}},
						 .args = past,
						 .nargs = 2};
	Answer answer = {0};
	const Ask ask = {.mode = MODE_COUNT, .rules = models[0], .rehearse = true};
	assert_done(device_submit(lab.device, LIST_OF(&call), &ask, &answer, &err), err);
	assert_int_equal(answer.outcome.status, LAUNCH_FAULT);
	assert_string_equal(answer.outcome.fault.buffer, "out");
	answer_free(&answer);
	assert_done(device_download(lab.device, lab.out, 0, after, COUNT, &err), err);
	assert_memory_equal(before, after, sizeof before);
	device_close(lab.device);
}

int main(int argc, char **argv) {
	int status = maybe_worker(argc, argv);
	if (status >= 0) return status;
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_and_predictions),
		cmocka_unit_test(findings),
		cmocka_unit_test(answers_outlive_the_next_call),
		cmocka_unit_test(a_rehearsal_leaves_no_trace),
		cmocka_unit_test(derived_gpus),
		cmocka_unit_test(calibrated_values),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
