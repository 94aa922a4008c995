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

/* A work of which only a part runs, and for whom. */
typedef struct {
	Device *device;
	const Work *work;
	uint64_t *blocks; /* [nitems] as LaunchConfig.sample */
	const Gpu *const *models;
	size_t nmodels;
} Part;

static LaunchConfig part_config(const Part *p, uint32_t item, bool half) {
	LaunchConfig config = p->work->items[item].launch.config;
	config.sample = p->blocks[item];
	config.sample_half = half;
	return config;
}

static bool is_whole(const Part *p) {
	for (uint32_t i = 0; i < p->work->nitems; i++) {
		const LaunchConfig config = part_config(p, i, false);
		if (launch_blocks_run(&config) < launch_blocks(&config)) return false;
	}
	return true;
}

/* One run of it; predictions[nitems × nmodels], of each launch as far as it ran. Half of the sample leaves no trace. */
static bool run_part(const Part *p, bool half, Prediction *predictions, LaunchOutcome *outcome, CountReport *counted,
					 Err *err) {
	const Work *work = p->work;
	WorkItem *items = xcalloc(work->nitems, sizeof *items);
	for (uint32_t i = 0; i < work->nitems; i++) {
		items[i] = work->items[i];
		items[i].launch.config = part_config(p, i, half);
		if (half) items[i].launch.print = NULL; /* all of the sample prints it again */
	}
	const Work part = {.items = items, .nitems = work->nitems};
	Audience a = seat(work->nitems, p->models, p->nmodels, counted ? counted->counters : NULL);
	bool from_definitions = false;
	const bool ok = half ? device_rehearse_work(p->device, &part, a.rows, outcome, err)
						 : device_emulate_work(p->device, &part, a.rows, outcome, &from_definitions, err);
	if (ok && outcome->status == LAUNCH_OK) each_of(&a, predictions);
	if (counted) counted->from_definitions = from_definitions;
	dismiss(&a);
	free(items);
	return ok && outcome->status == LAUNCH_OK;
}

/* From half of the sample and all of it to the whole, launch by launch. */
static void extrapolate(const Part *p, const Prediction *less, const Prediction *more, CountReport *out) {
	const uint32_t nitems = p->work->nitems;
	Prediction *column = xcalloc(nitems, sizeof *column);
	for (size_t k = 0; k < p->nmodels; k++) {
		double missed = 0, all = 0;
		for (uint32_t i = 0; i < nitems; i++) {
			const LaunchConfig config = part_config(p, i, true);
			const uint64_t ran = launch_blocks_run(&config), blocks = launch_blocks(&config);
			const size_t at = i * p->nmodels + k;
			double error = 0;
			column[i] = more[at];
			if (ran < blocks) column[i] = model_whole(&less[at], &more[at], ran, blocks, &error);
			missed += error * column[i].milliseconds;
			all += column[i].milliseconds;
		}
		out->predictions[k] = prediction_sum(column, nitems);
		if (all > 0 && missed / all > out->sample_error) out->sample_error = missed / all;
	}
	free(column);
}

static void tell_sample(const Part *p, CountReport *out) {
	for (uint32_t i = 0; i < p->work->nitems; i++) {
		const LaunchConfig config = part_config(p, i, false);
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

/* --- how large a sample ----------------------------------------------------------------------------------------------------- */

/* So many blocks of a launch run, by what the blocks of the probe did; its counters are already those of the whole grid. */
static uint64_t affordable(const Work *work, uint32_t item, const SampleSize *size, const Counters *probe) {
	const double blocks = (double)launch_blocks(&work->items[item].launch.config),
				 each = (double)counters_total(probe).warp_instructions / blocks,
				 most = each > 0 ? (double)size->instructions / work->nitems / each : (double)size->blocks;
	if (most >= (double)size->blocks) return size->blocks;
	return most > 2 * SAMPLE_LEAST ? (uint64_t)most : 2 * SAMPLE_LEAST;
}

/* Settles p->blocks: after a run of the smallest sample's first half, where the instructions are limited. *has_half: the sample
 * stays that small, and less has the half's predictions. */
static bool choose_size(Part *p, const SampleSize *size, const Gpu *rules, Prediction *less, bool *has_half,
						LaunchOutcome *outcome, Err *err) {
	const uint32_t nitems = p->work->nitems;
	const bool least = size->instructions && size->blocks > 2 * SAMPLE_LEAST;
	for (uint32_t i = 0; i < nitems; i++) p->blocks[i] = least ? 2 * SAMPLE_LEAST : size->blocks;
	if (!least || is_whole(p)) return true;
	CountReport probe = {.nitems = nitems, .counters = xcalloc(nitems, sizeof *probe.counters)};
	for (uint32_t i = 0; i < nitems; i++) probe.counters[i] = counters_new(rules);
	const bool ok = run_part(p, true, less, outcome, &probe, err);
	if (ok) *has_half = true;
	for (uint32_t i = 0; ok && i < nitems; i++) {
		p->blocks[i] = affordable(p->work, i, size, probe.counters[i]);
		*has_half &= p->blocks[i] <= 2 * SAMPLE_LEAST;
	}
	count_report_free(&probe);
	return ok;
}

/* Once with half of the sample, for the models alone, once with all of it. False: it did not end well. */
static bool count_sample(Part *p, const SampleSize *size, const Gpu *rules, CountReport *out, LaunchOutcome *outcome,
						 Err *err) {
	Prediction *less = xcalloc(p->work->nitems * p->nmodels, sizeof *less),
			   *more = xcalloc(p->work->nitems * p->nmodels, sizeof *more);
	bool has_half = false;
	bool ok = choose_size(p, size, rules, less, &has_half, outcome, err);
	ok = ok && (!p->nmodels || has_half || is_whole(p) || run_part(p, true, less, outcome, NULL, err)) &&
		 run_part(p, false, more, outcome, out, err);
	if (ok) {
		extrapolate(p, less, more, out);
		tell_sample(p, out);
	}
	free(less);
	free(more);
	return ok || outcome->status != LAUNCH_OK;
}

/* --- counting --------------------------------------------------------------------------------------------------------------- */

bool count_work(Device *device, const Work *work, const Gpu *rules, const Gpu *const *models, size_t nmodels,
				const SampleSize *sample, CountReport *out, LaunchOutcome *outcome, Err *err) {
	LaunchOutcome ended = {0};
	CountReport report = {.nitems = work->nitems, .npredictions = nmodels};
	report.counters = xcalloc(work->nitems, sizeof *report.counters);
	report.predictions = xcalloc(nmodels, sizeof *report.predictions);
	for (uint32_t i = 0; i < work->nitems; i++) report.counters[i] = counters_new(rules);
	const double begun = seconds_now();
	bool ok;
	if (sample && sample->blocks) {
		Part part = {device, work, xcalloc(work->nitems, sizeof(uint64_t)), models, nmodels};
		ok = can_sample(work, err) && count_sample(&part, sample, rules, &report, &ended, err);
		free(part.blocks);
	} else {
		ok = predict_work(device, work, models, nmodels, report.predictions, &ended, &report, err);
	}
	report.emulator_ms = (seconds_now() - begun) * 1e3;
	if (ok && outcome) *outcome = ended;
	if (ok && ended.status != LAUNCH_OK) ok = launch_error(&ended, err);
	if (ok)
		*out = report;
	else
		count_report_free(&report);
	return ok;
}
