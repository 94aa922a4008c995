/* measure.h: one emulated run observed by counters and models. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/proc.h"
#include "measure/internal.h"

void count_report_free(CountReport *report) {
	if (!report) return;
	answer_free(&report->answer);
	free(report->predictions);
	*report = (CountReport){0};
}

Counts count_report_total(const CountReport *report) {
	Counts sum = {0};
	for (uint32_t i = 0; i < report->answer.nitems; i++) counts_add(&sum, &report->answer.items[i].total);
	return sum;
}

Prediction prediction_sum(const Prediction *predictions, size_t n) {
	Prediction sum = predictions[0];
	double milliseconds = 0, error = 0, counted = 0, replayed = 0;
	for (size_t i = 0; i < n; i++) {
		if (!predictions[i].known) return predictions[i];
		if (predictions[i].milliseconds > sum.milliseconds) sum = predictions[i];
		if (predictions[i].error > error) error = predictions[i].error;
		milliseconds += predictions[i].milliseconds;
		counted += predictions[i].counted_ms;
		replayed += predictions[i].replayed_ms;
	}
	sum.counted_ms = counted;
	sum.replayed_ms = replayed;
	sum.milliseconds = milliseconds;
	sum.error = error;
	return sum;
}

/* --- one run ------------------------------------------------------------------------------------------------------ */

/* Of the whole list, for each model. */
static void sum_up(const Answer *answer, size_t nmodels, Prediction *out) {
	AUTO_FREE Prediction *each = xcalloc(answer->nitems, sizeof *each);
	for (size_t k = 0; k < nmodels; k++) {
		for (uint32_t i = 0; i < answer->nitems; i++) each[i] = answer->items[i].predictions[k];
		out[k] = prediction_sum(each, answer->nitems);
	}
}

bool predict_list(Device *device, const LaunchList *list, const Gpu *const *models, size_t nmodels,
				  Prediction *predictions, LaunchOutcome *outcome, Err *err) {
	Answer answer = {0};
	const Ask question = {.mode = MODE_PREDICT, .models = models, .nmodels = (uint32_t)nmodels};
	if (!measure_ask(device, list, &question, &answer, outcome, err)) return false;
	sum_up(&answer, nmodels, predictions);
	answer_free(&answer);
	return true;
}

/* --- samples ------------------------------------------------------------------------------------------------------ */

/* A launch list of which only a part runs, and its observers. */
typedef struct {
	Device *device;
	const LaunchList *list;
	uint64_t *blocks; /* [nitems] as LaunchConfig.sample */
	const Gpu *rules, *const *models;
	size_t nmodels;
	uint64_t follow;
} Part;

static LaunchConfig part_config(const Part *p, uint32_t item, bool half) {
	LaunchConfig config = p->list->items[item].launch.config;
	config.sample = p->blocks[item];
	config.sample_half = half;
	return config;
}

static bool is_whole(const Part *p) {
	for (uint32_t i = 0; i < p->list->nitems; i++) {
		const LaunchConfig config = part_config(p, i, false);
		if (launch_blocks_run(&config) < launch_blocks(&config)) return false;
	}
	return true;
}

/* One run of it; predictions[nitems × nmodels], of each launch as far as it ran. Half of the sample leaves no trace.
 * counted NULL: no counters are wanted. */
static bool run_part(const Part *p, bool half, Prediction *predictions, LaunchOutcome *outcome, Answer *counted,
					 Err *err) {
	const LaunchList *list = p->list;
	LaunchItem *items = xcalloc(list->nitems, sizeof *items);
	for (uint32_t i = 0; i < list->nitems; i++) {
		items[i] = list->items[i];
		items[i].launch.config = part_config(p, i, half);
	}
	LaunchList part = {.items = items, .nitems = list->nitems};
	if (!half) { /* of which all of the sample prints again */
		part.print = list->print;
		part.user = list->user;
	}
	const Ask question = {.mode = counted ? MODE_COUNT : MODE_PREDICT,
						  .rules = p->rules,
						  .models = p->models,
						  .nmodels = (uint32_t)p->nmodels,
						  .count_only = half,
						  .follow = half ? 0 : p->follow,
						  .rehearse = half || p->follow};
	Answer answer = {0};
	const bool ok = measure_ask(p->device, &part, &question, &answer, outcome, err);
	for (uint32_t i = 0; ok && i < list->nitems && p->nmodels; i++)
		memcpy(&predictions[i * p->nmodels], answer.items[i].predictions, p->nmodels * sizeof *predictions);
	if (ok && counted)
		*counted = answer;
	else
		answer_free(&answer);
	free(items);
	return ok;
}

/* From half of the sample and all of it to the whole, launch by launch. */
static void extrapolate(const Part *p, const Prediction *less, const Prediction *more, CountReport *out) {
	const uint32_t nitems = p->list->nitems;
	AUTO_FREE Prediction *column = xcalloc(nitems, sizeof *column);
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
}

static void tell_sample(const Part *p, CountReport *out) {
	for (uint32_t i = 0; i < p->list->nitems; i++) {
		const LaunchConfig config = part_config(p, i, false);
		out->blocks_run += launch_blocks_run(&config);
		out->blocks += launch_blocks(&config);
		if (p->list->nitems == 1) out->sampled = config;
	}
}

/* Blocks of a cooperative launch wait for each other. */
static bool can_sample(const LaunchList *list, Err *err) {
	for (uint32_t i = 0; i < list->nitems; i++) {
		if (!list->items[i].launch.config.cooperative) continue;
		err_set(err, ERR_USAGE, "the blocks of a cooperative launch wait for each other: no sample of them can run");
		return err_hint(err, "omit sample, or use a smaller grid");
	}
	return true;
}

/* --- how large a sample ------------------------------------------------------------------------------------------- */

/* The number of blocks to run, from what the blocks of the probe did; its counters are already those of the whole
 * grid. */
static uint64_t affordable(const LaunchList *list, uint32_t item, const SampleSize *size, const Counts *probe) {
	const double blocks = (double)launch_blocks(&list->items[item].launch.config),
				 each = (double)probe->warp_instructions / blocks,
				 most = each > 0 ? (double)size->instructions / list->nitems / each : (double)size->blocks;
	if (most >= (double)size->blocks) return size->blocks;
	return most > 2 * SAMPLE_LEAST ? (uint64_t)most : 2 * SAMPLE_LEAST;
}

/* Settles p->blocks: after a run of the smallest sample's first half, where the instructions are limited. *has_half:
 * the sample stays that small, and less has the half's predictions. */
static bool choose_size(Part *p, const SampleSize *size, Prediction *less, bool *has_half, LaunchOutcome *outcome,
						Err *err) {
	const uint32_t nitems = p->list->nitems;
	const bool least = size->instructions && size->blocks > 2 * SAMPLE_LEAST;
	for (uint32_t i = 0; i < nitems; i++) p->blocks[i] = least ? 2 * SAMPLE_LEAST : size->blocks;
	if (!least || is_whole(p)) return true;
	Answer probe = {0};
	const bool ok = run_part(p, true, less, outcome, &probe, err);
	if (ok) *has_half = true;
	for (uint32_t i = 0; ok && i < nitems; i++) {
		p->blocks[i] = affordable(p->list, i, size, &probe.items[i].total);
		*has_half &= p->blocks[i] <= 2 * SAMPLE_LEAST;
	}
	answer_free(&probe);
	return ok;
}

/* Once with half of the sample, for the models alone, once with all of it. False: it did not end well. */
static bool count_sample(Part *p, const SampleSize *size, CountReport *out, LaunchOutcome *outcome, Err *err) {
	Prediction *less = xcalloc(p->list->nitems * p->nmodels, sizeof *less),
			   *more = xcalloc(p->list->nitems * p->nmodels, sizeof *more);
	bool has_half = false;
	bool ok = choose_size(p, size, less, &has_half, outcome, err);
	ok = ok && (!p->nmodels || has_half || is_whole(p) || run_part(p, true, less, outcome, NULL, err)) &&
		 run_part(p, false, more, outcome, &out->answer, err);
	if (ok) {
		extrapolate(p, less, more, out);
		tell_sample(p, out);
	}
	free(less);
	free(more);
	return ok;
}

/* --- counting ----------------------------------------------------------------------------------------------------- */

static bool count_all(const Part *p, bool reach, CountReport *out, LaunchOutcome *outcome, Err *err) {
	const Ask question = {.mode = MODE_COUNT,
						  .rules = p->rules,
						  .models = p->models,
						  .nmodels = (uint32_t)p->nmodels,
						  .follow = p->follow,
						  .rehearse = p->follow != 0,
						  .reach = reach};
	const bool ok = measure_ask(p->device, p->list, &question, &out->answer, outcome, err);
	if (ok) sum_up(&out->answer, p->nmodels, out->predictions);
	return ok;
}

bool count_launches(Device *device, const LaunchList *list, const Gpu *rules, const Gpu *const *models, size_t nmodels,
					const SampleSize *sample, CountReport *out, LaunchOutcome *outcome, Err *err) {
	LaunchOutcome ended = {0};
	CountReport report = {.npredictions = nmodels};
	Part part = {device, list, xcalloc(list->nitems, sizeof(uint64_t)), rules, models, nmodels, .follow = 0};
	if (sample) part.follow = sample->follow;
	report.predictions = xcalloc(nmodels, sizeof *report.predictions);
	const double begun = seconds_now();
	const bool ok = sample && sample->blocks
						? can_sample(list, err) && count_sample(&part, sample, &report, &ended, err)
						: count_all(&part, sample && sample->reach, &report, &ended, err);
	report.emulator_ms = (seconds_now() - begun) * 1e3;
	if (outcome && (ok || ended.status != LAUNCH_OK)) *outcome = ended;
	if (ok)
		*out = report;
	else
		count_report_free(&report);
	free(part.blocks);
	return ok;
}
