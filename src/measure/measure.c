/* measure.h: warm up, look how long it takes, sample until the rule is content, look again what the samples say.
 *
 * On a GPU every sample is one request to the worker or part of a small batch of them, so that Ctrl-C is seen
 * between. */
#include "measure/measure.h"

#include "base/proc.h"
#include "base/sort.h"
#include "base/str.h"
#include "measure/internal.h"

enum { WARM_UP = 3, MOST_SAMPLES = 1000, HOT_SAMPLES = 11, PILOT_SAMPLES = 5 };
static const double SHORT_MS = 0.005; /* shorter kernels are timed in batches: events have a resolution of 32 ns */
static const double GRAPH_MS = 0.1;   /* a batch's length */
static const double REQUEST_MS = 40;  /* samples per request: about this long */
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
	const double best = best_clock(s->samples, s->n);
	uint32_t slow = 0, kept = 0;
	for (uint32_t i = 0; i < s->n; i++) slow += is_throttled(&s->samples[i], best);
	if (!slow) return;
	m->throttled = true;
	if (slow > s->n / 2) return;
	for (uint32_t i = 0; i < s->n; i++)
		if (!is_throttled(&s->samples[i], best)) s->samples[kept++] = s->samples[i];
	s->n = kept;
	m->discarded = slow;
}

static double median_clock(const Series *s) {
	double clocks[MOST_SAMPLES];
	uint32_t n = 0;
	for (uint32_t i = 0; i < s->n; i++)
		if (s->samples[i].clock_ghz > 0) clocks[n++] = s->samples[i].clock_ghz;
	return n ? median_of(clocks, n) : 0;
}

#define note(m, ...) measure_note((m)->note, sizeof(m)->note, __VA_ARGS__)

/* Hot data need not come from memory: only a cold time can be too short for it. */
static void check_floor(const Series *s, const MeasureConfig *config, Measurement *m) {
	const double peak = device_info(s->device)->dram_gbps;
	if (config->min_bytes <= 0 || peak <= 0) return;
	const double floor_ms = config->min_bytes / (peak * 1e9) * 1e3;
	if ((m->batch > 1 ? m->cold_ms : m->median_ms) >= floor_ms) return;
	m->impossible = true;
	note(m, "impossible: %.3g MB cannot move in less than %.3g ms at %.0f GB/s; did the kernel do its work?",
		 config->min_bytes * 1e-6, floor_ms, peak);
}

static void summarise(Series *s, Measurement *m) {
	double sorted[MOST_SAMPLES];
	m->temperature = s->samples[s->n - 1].temperature;
	set_throttled_aside(s, m);
	sort_by_number(s->samples, s->n, sizeof *s->samples); /* by their time */
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
	if (m->discarded)
		note(m, "%u samples at a throttled clock left out", m->discarded);
	else if (m->throttled)
		note(m, "the clock was throttled");
}

/* --- on a GPU ----------------------------------------------------------------------------------------------------- */

static double median_time(const Series *s) {
	double sorted[MOST_SAMPLES];
	sorted_times(s, sorted);
	return quantile(sorted, s->n, 0.5);
}

/* Without the flush; its own figure, and a note where the cache makes a difference. */
static bool take_hot(Series *s, Measurement *m) {
	s->n = 0;
	if (!take(s, samples_at_once(m->median_ms, HOT_SAMPLES), false, 1)) return false;
	m->hot_ms = median_time(s);
	double ratio = m->hot_ms / m->median_ms;
	if (ratio > 1 - HOT_DIFFERS && ratio < 1 + HOT_DIFFERS) return true;
	note(m, "with the data in the L2 cache: %.4g ms", m->hot_ms);
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
	m->cold_ms = each_ms;
	m->batch = measure_batch(each_ms);
	if (!take_until_enough(s, rule, false, m->batch, each_ms)) return false;
	summarise(s, m);
	note(m, "too short to time alone: %u %s %s, data in the cache; one alone and cold: %.3g µs", m->batch,
		 measure_batch_of(s->list), m->as_graph ? "as a graph" : "in a row", m->cold_ms * 1e3);
	m->hot_ms = m->median_ms;
	return true;
}

static bool measure_once(Series *s, const MeasureConfig *config, Measurement *m) {
	m->batch = 1;
	if (!take(s, 1, true, 1)) return false;
	summarise(s, m);
	check_floor(s, config, m);
	return true;
}

static bool measure_alone(Series *s, const MeasureConfig *config, Measurement *m) {
	StopRule rule = stop_rule_default();
	if (config->wall_cap_s > 0) rule.wall_cap_s = config->wall_cap_s;
	if (!warm_up(s, config->warmup ? config->warmup : WARM_UP) || !take(s, PILOT_SAMPLES, true, 1)) return false;
	const double each_ms = median_time(s);
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
	if (text_starts(share, "MPS"))
		note(m, "other processes can use the GPU at the same time: %s", share);
	else if (*share)
		note(m, "measured on a part of the GPU: %s", share);
}

static bool measure_on_gpu(Series *s, const MeasureConfig *config, Measurement *m) {
	GpuLock lock;
	if (!timing_lock(s->device, &config->lock, &lock, s->outcome, s->err)) return false;
	bool ok = config->once ? measure_once(s, config, m) : measure_alone(s, config, m);
	m->unlocked = timing_unlock(s->device, &config->lock, &lock, m->note, sizeof m->note);
	if (ok) note_share(s, m);
	return ok;
}

/* --- on the emulator ---------------------------------------------------------------------------------------------- */

static bool predict(Series *s, const MeasureConfig *config, Measurement *m) {
	const Gpu *gpu = device_info(s->device)->gpu;
	Prediction p;
	if (!predict_list(s->device, s->list, &gpu, 1, &p, s->outcome, s->err)) return false;
	*m = measurement_predicted(&p);
	if (p.known)
		check_floor(s, config, m);
	else
		note(m, "no prediction for the %s: %.120s", gpu->name, *p.note ? p.note : p.bound);
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
