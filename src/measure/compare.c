/* compare.h */
#include "measure/compare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/sort.h"
#include "measure/internal.h"

enum { LEAST_PAIRS = 30, MOST_PAIRS = 400, PILOTS = 5, WARM_UP = 3 };
static const double BUDGET_S = 1, AROUND_MS = 0.4; /* overhead of a sample: hold, flush, transfer to the worker */
static const double QUANTILE = 2.5758;             /* of the normal distribution: 99 % are within ± this */

const char *const verdict_names[] = {"faster", "slower", "cannot tell", NULL};

/* --- statistics --------------------------------------------------------------------------------------------------- */

/* The means of every two (and of each with itself), sorted. */
static double *pair_means(const double *d, uint32_t n, size_t *count) {
	*count = (size_t)n * (n + 1) / 2;
	double *means = xcalloc(*count, sizeof *means);
	size_t at = 0;
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t j = i; j < n; j++) means[at++] = (d[i] + d[j]) / 2;
	sort_numbers(means, *count);
	return means;
}

static Verdict verdict_of(double low, double high, double margin) {
	if (high < 1 - margin) return COMPARE_FASTER;
	if (low > 1 + margin) return COMPARE_SLOWER;
	return COMPARE_CANNOT_TELL;
}

void compare_pairs(const double *a, const double *b, uint32_t n, Comparison *out) {
	AUTO_FREE double *d = xcalloc(n, sizeof *d);
	size_t count;
	for (uint32_t i = 0; i < n; i++) d[i] = log(b[i] / a[i]);
	AUTO_FREE double *means = pair_means(d, n, &count);
	/* the signed rank statistic's mean is count / 2, its variance n (n + 1) (2n + 1) / 24 */
	const double reach = QUANTILE * sqrt((double)n * (n + 1.0) * (2.0 * n + 1) / 24);
	const double rank = floor(count / 2.0 - reach);
	const size_t low = rank > 0 ? (size_t)rank : 0;
	out->ratio = exp(quantile(means, count, 0.5));
	out->low = exp(means[low]);
	out->high = exp(means[count - 1 - low]);
	out->a_ms = median_of(a, n);
	out->b_ms = median_of(b, n);
	out->pairs = n;
	out->margin = COMPARE_MARGIN;
	out->verdict = n < LEAST_PAIRS ? COMPARE_CANNOT_TELL : verdict_of(out->low, out->high, out->margin);
}

/* --- on a GPU ----------------------------------------------------------------------------------------------------- */

typedef struct {
	Device *device;
	const LaunchList *list[2];
	uint32_t batch;
	Sample *samples[2];
	LaunchOutcome *outcome;
	Err *err;
} Contest;

static bool run_once(Contest *c, int which) {
	return measure_run(c->device, c->list[which], c->outcome, c->err);
}

static bool take(Contest *c, int which, uint32_t count, Sample *samples) {
	const bool alone = c->batch == 1;
	const SampleConfig config = {.count = count, .flush_l2 = alone, .batch = c->batch, .graph = !alone};
	return measure_sample(c->device, c->list[which], &config, samples, c->outcome, c->err);
}

/* Warms both up; each_ms: what one launch of each takes, cold. */
static bool look(Contest *c, double each_ms[2]) {
	Sample pilot[PILOTS];
	double ms[PILOTS];
	c->batch = 1;
	for (int i = 0; i < WARM_UP; i++)
		if (!run_once(c, 0) || !run_once(c, 1)) return false;
	for (int which = 0; which < 2; which++) {
		if (!take(c, which, PILOTS, pilot)) return false;
		for (int i = 0; i < PILOTS; i++) ms[i] = pilot[i].milliseconds;
		each_ms[which] = median_of(ms, PILOTS);
	}
	return true;
}

static uint32_t pairs_within(double seconds, double pair_ms) {
	const double n = seconds * 1e3 / (pair_ms + 2 * AROUND_MS);
	if (n < LEAST_PAIRS) return LEAST_PAIRS;
	return n > MOST_PAIRS ? MOST_PAIRS : (uint32_t)n / 2 * 2;
}

/* a b, b a, a b ...: neither is always the second. */
static bool take_in_turn(Contest *c, uint32_t pairs) {
	for (uint32_t i = 0; i < pairs; i++) {
		const int first = i % 2;
		if (!take(c, first, 1, &c->samples[first][i]) || !take(c, !first, 1, &c->samples[!first][i])) return false;
	}
	return true;
}

/* Pairs one of which ran at a clock clearly below the best are left out, as long as enough remain. */
static uint32_t keep_unthrottled(Contest *c, uint32_t pairs, Comparison *out) {
	const double best = fmax(best_clock(c->samples[0], pairs), best_clock(c->samples[1], pairs));
	uint32_t slow = 0, kept = 0;
	for (uint32_t i = 0; i < pairs; i++)
		slow += is_throttled(&c->samples[0][i], best) || is_throttled(&c->samples[1][i], best);
	if (pairs - slow < LEAST_PAIRS) return pairs;
	for (uint32_t i = 0; i < pairs; i++) {
		if (is_throttled(&c->samples[0][i], best) || is_throttled(&c->samples[1][i], best)) continue;
		for (int w = 0; w < 2; w++) c->samples[w][kept] = c->samples[w][i];
		kept++;
	}
	out->discarded = slow;
	return kept;
}

static void judge(Contest *c, uint32_t pairs, Comparison *out) {
	pairs = keep_unthrottled(c, pairs, out);
	double *times[2];
	for (int w = 0; w < 2; w++) {
		times[w] = xcalloc(pairs, sizeof *times[w]);
		/* a time of nothing is shorter than the events' own step */
		for (uint32_t i = 0; i < pairs; i++) times[w][i] = fmax(c->samples[w][i].milliseconds, 1e-6);
	}
	compare_pairs(times[0], times[1], pairs, out);
	out->batch = c->batch;
	out->as_graph = c->samples[0][0].as_graph;
	if (c->batch > 1)
		measure_note(out->note, sizeof out->note, "too short to time alone: %u %s %s, data in the cache", c->batch,
					 measure_batch_of(c->list[0]), out->as_graph ? "as a graph" : "in a row");
	for (int w = 0; w < 2; w++) free(times[w]);
}

static bool compare_alone(Contest *c, const CompareConfig *config, Comparison *out) {
	double each_ms[2];
	if (!look(c, each_ms)) return false;
	c->batch = measure_batch(fmin(each_ms[0], each_ms[1]));
	const double seconds = config->wall_cap_s > 0 ? config->wall_cap_s : BUDGET_S;
	const uint32_t pairs = pairs_within(seconds, (each_ms[0] + each_ms[1]) * c->batch);
	for (int w = 0; w < 2; w++) c->samples[w] = xcalloc(pairs, sizeof *c->samples[w]);
	bool ok = take_in_turn(c, pairs);
	if (ok) judge(c, pairs, out);
	for (int w = 0; w < 2; w++) free(c->samples[w]);
	return ok;
}

static bool compare_on_gpu(Contest *c, const CompareConfig *config, Comparison *out) {
	GpuLock lock;
	if (!timing_lock(c->device, &config->lock, &lock, c->outcome, c->err)) return false;
	bool ok = compare_alone(c, config, out);
	out->unlocked = timing_unlock(c->device, &config->lock, &lock, out->note, sizeof out->note);
	return ok;
}

/* --- on the emulator ---------------------------------------------------------------------------------------------- */

void compare_predictions(const Prediction *a, const Prediction *b, Comparison *out) {
	*out = (Comparison){.kind = RATE_PREDICTED,
						.a_ms = a->milliseconds,
						.b_ms = b->milliseconds,
						.pairs = 1,
						.batch = 1,
						.error = fmax(a->error, b->error)};
	const double order = fmin(a->order, b->order);
	out->margin = order > 1 ? order - 1 : fmax(COMPARE_MARGIN, out->error);
	if (a->error <= 0 || b->error <= 0) out->error = 0;
	out->ratio = out->low = out->high = out->b_ms / out->a_ms;
	out->verdict = verdict_of(out->ratio, out->ratio, out->margin);
}

static bool predict(Contest *c, Comparison *out) {
	Measurement m[2];
	for (int w = 0; w < 2; w++) {
		if (!measure(c->device, c->list[w], NULL, &m[w], c->outcome, c->err)) return false;
		if (m[w].median_ms <= 0)
			return err_set(c->err, ERR_USAGE, "nothing to compare: %s",
						   *m[w].note ? m[w].note : "no time is predicted");
	}
	for (int w = 0; w < 2; w++) m[w].prediction.milliseconds = m[w].median_ms;
	compare_predictions(&m[0].prediction, &m[1].prediction, out);
	return true;
}

bool compare(Device *device, const LaunchList *a, const LaunchList *b, const CompareConfig *config, Comparison *out,
			 LaunchOutcome *outcome, Err *err) {
	static const CompareConfig plain = {0};
	LaunchOutcome unused = {0};
	Comparison result = {.kind = RATE_MEASURED};
	Contest c = {.device = device, .list = {a, b}, .batch = 1, .outcome = outcome ? outcome : &unused, .err = err};
	if (!config) config = &plain;
	if (!((device_info(device)->can & CAN_TIME) ? compare_on_gpu(&c, config, &result) : predict(&c, &result)))
		return false;
	*out = result;
	return true;
}
