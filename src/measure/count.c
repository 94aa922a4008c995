/* measure.h: one emulated run with counters and models listening. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/proc.h"
#include "device/describe.h"
#include "measure/internal.h"

void count_report_free(CountReport *report) {
	if (!report) return;
	for (uint32_t i = 0; i < report->nitems; i++) counters_free(report->counters[i]);
	free(report->counters);
	free(report->predictions);
	memset(report, 0, sizeof *report);
}

Counts count_report_total(const CountReport *report) {
	Counts sum = {0};
	for (uint32_t i = 0; i < report->nitems; i++) {
		const Counts one = counters_total(report->counters[i]);
		counts_add(&sum, &one);
	}
	return sum;
}

Prediction prediction_sum(const Prediction *predictions, size_t n) {
	Prediction sum = predictions[0];
	double milliseconds = 0, error = 0;
	for (size_t i = 0; i < n; i++) {
		if (!predictions[i].known) return predictions[i];
		if (predictions[i].milliseconds > sum.milliseconds) sum = predictions[i];
		if (predictions[i].error > error) error = predictions[i].error;
		milliseconds += predictions[i].milliseconds;
	}
	sum.milliseconds = milliseconds;
	sum.error = error;
	return sum;
}

/* --- who listens ---------------------------------------------------------------------------------------------------------- */

typedef struct {
	uint32_t nitems;
	size_t nmodels;
	Model **models; /* [nitems × nmodels] */
	Listeners *rows;
	Observer **observers; /* what the rows point into */
} Audience;

/* A model hears one launch, so each item has its own. */
static Audience seat(uint32_t nitems, const Gpu *const *models, size_t nmodels, Counters *const *counters) {
	const size_t each = nmodels + (counters ? 1 : 0);
	Audience a = {.nitems = nitems, .nmodels = nmodels};
	a.models = xcalloc(nitems * nmodels, sizeof *a.models);
	a.rows = xcalloc(nitems, sizeof *a.rows);
	a.observers = xcalloc(nitems * each, sizeof *a.observers);
	for (uint32_t i = 0; i < nitems; i++) {
		Observer **row = a.observers + i * each;
		a.rows[i] = (Listeners){row, each};
		if (counters) *row++ = &counters[i]->base;
		for (size_t k = 0; k < nmodels; k++) {
			a.models[i * nmodels + k] = model_new(models[k]);
			row[k] = model_observer(a.models[i * nmodels + k]);
		}
	}
	return a;
}

static void dismiss(Audience *a) {
	for (size_t i = 0; i < a->nitems * a->nmodels; i++) model_free(a->models[i]);
	free(a->models);
	free(a->rows);
	free(a->observers);
}

static void each_of(const Audience *a, Prediction *out) {
	for (size_t i = 0; i < a->nitems * a->nmodels; i++) out[i] = model_predict(a->models[i]);
}

static void sum_up(const Audience *a, Prediction *out) {
	Prediction *each = xcalloc(a->nitems, sizeof *each);
	for (size_t k = 0; k < a->nmodels; k++) {
		for (uint32_t i = 0; i < a->nitems; i++) each[i] = model_predict(a->models[i * a->nmodels + k]);
		out[k] = prediction_sum(each, a->nitems);
	}
	free(each);
}

bool predict_work(Device *device, const Work *work, const Gpu *const *models, size_t nmodels, Prediction *predictions,
				  LaunchOutcome *outcome, CountReport *counted, Err *err) {
	bool from_definitions = false;
	Audience a = seat(work->nitems, models, nmodels, counted ? counted->counters : NULL);
	bool ok = device_emulate_work(device, work, a.rows, outcome, &from_definitions, err);
	if (ok && outcome->status == LAUNCH_OK) sum_up(&a, predictions);
	if (counted) counted->from_definitions = from_definitions;
	dismiss(&a);
	return ok;
}

/* --- samples ---------------------------------------------------------------------------------------------------------------- */

/* The work with only a sample of each launch's blocks. What half of them print is printed again by all. */
static WorkItem *sampled_items(const Work *work, uint64_t sample, bool half) {
	WorkItem *items = xcalloc(work->nitems, sizeof *items);
	for (uint32_t i = 0; i < work->nitems; i++) {
		items[i] = work->items[i];
		items[i].launch.config.sample = sample;
		items[i].launch.config.sample_half = half;
		if (half) items[i].launch.print = NULL;
	}
	return items;
}

/* One run of a sample; predictions[nitems × nmodels], of each launch as far as it ran. That of half of it leaves no trace. */
static bool run_sample(Device *device, const Work *work, uint64_t sample, bool half, const Gpu *const *models,
					   size_t nmodels, Prediction *predictions, LaunchOutcome *outcome, CountReport *counted,
					   Err *err) {
	WorkItem *items = sampled_items(work, sample, half);
	const Work part = {.items = items, .nitems = work->nitems};
	Audience a = seat(work->nitems, models, nmodels, counted ? counted->counters : NULL);
	bool from_definitions = false;
	const bool ok = half ? device_rehearse_work(device, &part, a.rows, outcome, err)
						 : device_emulate_work(device, &part, a.rows, outcome, &from_definitions, err);
	if (ok && outcome->status == LAUNCH_OK) each_of(&a, predictions);
	if (counted) counted->from_definitions = from_definitions;
	dismiss(&a);
	free(items);
	return ok;
}

/* From two samples to the whole, launch by launch. */
static void extrapolate(const Work *work, uint64_t sample, const Prediction *less, Prediction *more, size_t nmodels,
						CountReport *out) {
	Prediction *column = xcalloc(work->nitems, sizeof *column);
	for (size_t k = 0; k < nmodels; k++) {
		double missed = 0, all = 0;
		for (uint32_t i = 0; i < work->nitems; i++) {
			LaunchConfig config = work->items[i].launch.config;
			double error = 0;
			config.sample = sample;
			config.sample_half = true;
			const uint64_t ran = launch_blocks_run(&config), blocks = launch_blocks(&config);
			const size_t at = i * nmodels + k;
			column[i] = more[at];
			if (ran < blocks) column[i] = model_whole(&less[at], &more[at], ran, blocks, &error);
			missed += error * column[i].milliseconds;
			all += column[i].milliseconds;
		}
		out->predictions[k] = prediction_sum(column, work->nitems);
		if (all > 0 && missed / all > out->sample_error) out->sample_error = missed / all;
	}
	free(column);
}

static void tell_sample(const Work *work, uint64_t sample, CountReport *out) {
	for (uint32_t i = 0; i < work->nitems; i++) {
		LaunchConfig config = work->items[i].launch.config;
		config.sample = sample;
		out->blocks_run += launch_blocks_run(&config);
		out->blocks += launch_blocks(&config);
	}
}

/* Blocks of a cooperative launch wait for each other. */
static bool can_sample(const Work *work, Err *err) {
	for (uint32_t i = 0; i < work->nitems; i++) {
		if (!work->items[i].launch.config.cooperative) continue;
		err_set(err, ERR_USAGE, "the blocks of a cooperative launch wait for each other: no sample of them can run");
		return err_hint(err, "leave sample away, or take a smaller grid");
	}
	return true;
}

/* Once with half of the sample, for the models alone, once with all of it. */
static bool count_sample(Device *device, const Work *work, uint64_t sample, const Gpu *const *models, size_t nmodels,
						 CountReport *out, LaunchOutcome *outcome, Err *err) {
	Prediction *less = xcalloc(work->nitems * nmodels, sizeof *less),
			   *more = xcalloc(work->nitems * nmodels, sizeof *more);
	bool ok = !nmodels || run_sample(device, work, sample, true, models, nmodels, less, outcome, NULL, err);
	ok = ok && outcome->status == LAUNCH_OK &&
		 run_sample(device, work, sample, false, models, nmodels, more, outcome, out, err);
	if (ok && outcome->status == LAUNCH_OK) extrapolate(work, sample, less, more, nmodels, out);
	free(less);
	free(more);
	return ok || outcome->status != LAUNCH_OK;
}

/* --- counting --------------------------------------------------------------------------------------------------------------- */

bool count_work(Device *device, const Work *work, const Gpu *rules, const Gpu *const *models, size_t nmodels,
				uint64_t sample, CountReport *out, LaunchOutcome *outcome, Err *err) {
	LaunchOutcome ended = {0};
	CountReport report = {.nitems = work->nitems, .npredictions = nmodels};
	report.counters = xcalloc(work->nitems, sizeof *report.counters);
	report.predictions = xcalloc(nmodels, sizeof *report.predictions);
	for (uint32_t i = 0; i < work->nitems; i++) report.counters[i] = counters_new(rules);
	const double begun = seconds_now();
	if (sample) tell_sample(work, sample, &report);
	bool ok = !sample || can_sample(work, err);
	if (ok && report.blocks_run < report.blocks)
		ok = count_sample(device, work, sample, models, nmodels, &report, &ended, err);
	else if (ok)
		ok = predict_work(device, work, models, nmodels, report.predictions, &ended, &report, err);
	report.emulator_ms = (seconds_now() - begun) * 1e3;
	if (ok && outcome) *outcome = ended;
	if (ok && ended.status != LAUNCH_OK) ok = launch_error(&ended, err);
	if (ok)
		*out = report;
	else
		count_report_free(&report);
	return ok;
}
