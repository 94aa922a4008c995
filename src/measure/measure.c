/* measure.h: warm up, look how long it takes, sample until the rule is content, look again what the samples say.
 *
 * On a GPU every sample is one request to the worker or part of a small batch of them, so that Ctrl-C is seen
 * between. */
#include "measure/measure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/proc.h"
#include "base/sort.h"
#include "device/describe.h"
#include "measure/internal.h"
#include "measure/lock.h"

enum { WARM_UP = 3, MOST_SAMPLES = 1000, HOT_SAMPLES = 11, PILOT_SAMPLES = 5 };
static const double SHORT_MS = 0.005; /* shorter kernels are timed in batches: events have a resolution of 32 ns */
static const double GRAPH_MS = 0.1;   /* a batch's length */
static const double REQUEST_MS = 40;  /* samples per request: about this long */
static const double THROTTLED = 0.95; /* of the fastest clock seen */
static const double HOT_DIFFERS = 0.10;

typedef struct {
	Device *device;
	const LaunchList *list;
	LaunchOutcome *outcome;
	Err *err;
	Sample samples[MOST_SAMPLES];
	uint32_t n;
} Series;

/* --- taking ------------------------------------------------------------------------------------------------------- */

/* One launch at least; long kernels are warm after it. */
static bool warm_up(Series *s, uint32_t launches) {
	const double begun = seconds_now();
	for (uint32_t i = 0; i < launches && (i == 0 || seconds_now() - begun < 1); i++)
		if (!measure_run(s->device, s->list, s->outcome, s->err)) return false;
	return true;
}

static bool take(Series *s, uint32_t count, bool cold, uint32_t batch) {
	const SampleConfig config = {.count = count, .flush_l2 = cold, .batch = batch, .graph = batch > 1};
	if (!measure_sample(s->device, s->list, &config, s->samples + s->n, s->outcome, s->err)) return false;
	s->n += count;
	return true;
}

static int by_time(const void *a, const void *b) {
	double x = ((const Sample *)a)->milliseconds, y = ((const Sample *)b)->milliseconds;
	return (x > y) - (x < y);
}

static void sorted_times(const Series *s, double *out) {
	for (uint32_t i = 0; i < s->n; i++) out[i] = s->samples[i].milliseconds;
	sort_numbers(out, s->n);
}

static uint32_t samples_at_once(double each_ms, uint32_t room) {
	double n = each_ms > 0 ? REQUEST_MS / each_ms : room;
	if (n < 1) n = 1;
	return n < room ? (uint32_t)n : room;
}

static bool take_until_enough(Series *s, StopRule *rule, bool cold, uint32_t batch, double each_ms) {
	double sorted[MOST_SAMPLES];
	const uint32_t most = rule->max_samples < MOST_SAMPLES ? rule->max_samples : MOST_SAMPLES;
	stop_rule_start(rule);
	for (;;) {
		uint32_t count = samples_at_once(each_ms * batch, 20);
		if (count > most - s->n) count = most - s->n;
		if (!take(s, count, cold, batch)) return false;
		sorted_times(s, sorted);
		if (stop_rule_enough(rule, sorted, s->n, seconds_now()) || s->n >= most) return true;
	}
}

/* --- judging ------------------------------------------------------------------------------------------------------ */

/* Samples at a clock clearly below the best are set aside, as long as enough remain; all stay where none is better. */
static void set_throttled_aside(Series *s, Measurement *m) {
	double best = 0;
	for (uint32_t i = 0; i < s->n; i++)
		if (s->samples[i].clock_ghz > best) best = s->samples[i].clock_ghz;
	uint32_t slow = 0;
	for (uint32_t i = 0; i < s->n; i++)
		if (s->samples[i].clock_ghz > 0 && s->samples[i].clock_ghz < THROTTLED * best) slow++;
	if (!slow) return;
	m->throttled = true;
	if (slow > s->n / 2) return;
	uint32_t kept = 0;
	for (uint32_t i = 0; i < s->n; i++)
		if (!(s->samples[i].clock_ghz > 0 && s->samples[i].clock_ghz < THROTTLED * best))
			s->samples[kept++] = s->samples[i];
	s->n = kept;
	m->discarded = slow;
}

static double median_clock(const Series *s) {
	double clocks[MOST_SAMPLES];
	uint32_t n = 0;
	for (uint32_t i = 0; i < s->n; i++)
		if (s->samples[i].clock_ghz > 0) clocks[n++] = s->samples[i].clock_ghz;
	if (!n) return 0;
	sort_numbers(clocks, n);
	return quantile(clocks, n, 0.5);
}

static void note(Measurement *m, const char *text) {
	size_t used = strlen(m->note);
	snprintf(m->note + used, sizeof m->note - used, "%s%s", used ? "; " : "", text);
}

/* Hot data need not come from memory: only a cold time can be too short for it. */
static void check_floor(const Series *s, const MeasureConfig *config, Measurement *m) {
	const double peak = device_info(s->device)->dram_gbps;
	if (config->min_bytes <= 0 || peak <= 0) return;
	const double floor_ms = config->min_bytes / (peak * 1e9) * 1e3;
	if ((m->batch > 1 ? m->cold_ms : m->median_ms) >= floor_ms) return;
	char text[160];
	snprintf(text, sizeof text,
			 "impossible: %.3g MB cannot move in less than %.3g ms at %.0f GB/s; did the kernel do its work?",
			 config->min_bytes * 1e-6, floor_ms, peak);
	m->impossible = true;
	note(m, text);
}

static void summarise(Series *s, Measurement *m) {
	double sorted[MOST_SAMPLES];
	m->temperature = s->samples[s->n - 1].temperature;
	set_throttled_aside(s, m);
	qsort(s->samples, s->n, sizeof *s->samples, by_time);
	sorted_times(s, sorted);
	m->samples = s->n;
	m->overhead_ms = s->samples[s->n / 2].overhead_ms;
	m->launch_ms = s->samples[s->n / 2].launch_ms;
	m->as_graph = s->samples[0].as_graph;
	m->median_ms = quantile(sorted, s->n, 0.5);
	m->q1_ms = quantile(sorted, s->n, 0.25);
	m->q3_ms = quantile(sorted, s->n, 0.75);
	m->min_ms = sorted[0];
	m->clock_ghz = median_clock(s);
	if (m->throttled) {
		char text[96];
		snprintf(text, sizeof text,
				 m->discarded ? "%u samples at a throttled clock left out" : "the clock was throttled", m->discarded);
		note(m, text);
	}
}

/* --- on a GPU ----------------------------------------------------------------------------------------------------- */

static double median_of(const Series *s) {
	double sorted[MOST_SAMPLES];
	sorted_times(s, sorted);
	return quantile(sorted, s->n, 0.5);
}

/* Without the flush; its own figure, and a note where the cache makes a difference. */
static bool take_hot(Series *s, Measurement *m) {
	char text[96];
	s->n = 0;
	if (!take(s, samples_at_once(m->median_ms, HOT_SAMPLES), false, 1)) return false;
	m->hot_ms = median_of(s);
	double ratio = m->hot_ms / m->median_ms;
	if (ratio > 1 - HOT_DIFFERS && ratio < 1 + HOT_DIFFERS) return true;
	snprintf(text, sizeof text, "with the data in the L2 cache: %.4g ms", m->hot_ms);
	note(m, text);
	return true;
}

uint32_t measure_batch(double each_ms) {
	if (each_ms >= SHORT_MS) return 1;
	return (uint32_t)(GRAPH_MS / (each_ms > 1e-4 ? each_ms : 1e-4)) + 1;
}

const char *measure_batch_of(const LaunchList *list) {
	return list->nitems > 1 ? "repetitions" : "launches";
}

static bool take_batched(Series *s, StopRule *rule, Measurement *m, double each_ms) {
	char text[160];
	m->cold_ms = each_ms;
	m->batch = measure_batch(each_ms);
	if (!take_until_enough(s, rule, false, m->batch, each_ms)) return false;
	summarise(s, m);
	snprintf(text, sizeof text, "too short to time alone: %u %s %s, data in the cache; one alone and cold: %.3g µs",
			 m->batch, measure_batch_of(s->list), m->as_graph ? "as a graph" : "in a row", m->cold_ms * 1e3);
	note(m, text);
	m->hot_ms = m->median_ms;
	return true;
}

static bool measure_alone(Series *s, const MeasureConfig *config, Measurement *m) {
	StopRule rule = stop_rule_default();
	if (config->wall_cap_s > 0) rule.wall_cap_s = config->wall_cap_s;
	if (!warm_up(s, config->warmup ? config->warmup : WARM_UP) || !take(s, PILOT_SAMPLES, true, 1)) return false;
	const double each_ms = median_of(s);
	s->n = 0;
	if (each_ms < SHORT_MS) {
		if (!take_batched(s, &rule, m, each_ms)) return false;
	} else {
		m->batch = 1;
		if (!take_until_enough(s, &rule, true, 1, each_ms)) return false;
		summarise(s, m);
		if (!take_hot(s, m)) return false;
	}
	check_floor(s, config, m);
	return true;
}

/* A number of a part of a GPU is not one of the GPU. */
static void note_share(const Series *s, Measurement *m) {
	const char *share = device_info(s->device)->share;
	char text[120];
	if (!*share) return;
	if (text_starts(share, "MPS"))
		snprintf(text, sizeof text, "other processes can use the GPU at the same time: %s", share);
	else
		snprintf(text, sizeof text, "measured on a part of the GPU: %s", share);
	note(m, text);
}

static bool measure_on_gpu(Series *s, const MeasureConfig *config, Measurement *m) {
	GpuLock lock;
	char text[240];
	if (!timing_lock_take(s->device, &config->lock, &lock, s->outcome, s->err)) return false;
	bool ok = measure_alone(s, config, m);
	device_unlock(s->device, &lock);
	timing_lock_describe(&lock, &config->lock, text, sizeof text);
	m->unlocked = config->lock.none || *lock.without;
	if (ok && *text) note(m, text);
	if (ok) note_share(s, m);
	return ok;
}

/* --- on the emulator ---------------------------------------------------------------------------------------------- */

static bool predict(Series *s, const MeasureConfig *config, Measurement *m) {
	const Gpu *gpu = device_info(s->device)->gpu;
	Prediction p;
	if (!predict_list(s->device, s->list, &gpu, 1, &p, s->outcome, s->err)) return false;
	*m = (Measurement){.kind = RATE_PREDICTED, .samples = 1, .batch = 1, .prediction = p};
	if (p.known)
		m->median_ms = m->q1_ms = m->q3_ms = m->min_ms = p.milliseconds;
	else
		snprintf(m->note, sizeof m->note, "no prediction for the %s: %.120s", gpu->name, *p.note ? p.note : p.bound);
	if (p.known) check_floor(s, config, m);
	return true;
}

bool measure(Device *device, const LaunchList *list, const MeasureConfig *config, Measurement *out,
			 LaunchOutcome *outcome, Err *err) {
	static const MeasureConfig plain = {0};
	LaunchOutcome unused = {0};
	Measurement m = {.kind = RATE_MEASURED};
	Series s = {.device = device, .list = list, .outcome = outcome ? outcome : &unused, .err = err};
	if (!config) config = &plain;
	bool ok = (device_info(device)->can & CAN_TIME) ? measure_on_gpu(&s, config, &m) : predict(&s, config, &m);
	if (ok) *out = m;
	return ok;
}
