/* measure/transfer.h */
#include "measure/transfer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/proc.h"
#include "base/sort.h"
#include "measure/internal.h"
#include "model/transfer.h"

enum { COPY_WARM_UP = 3, MOST_COPIES = 400, PIPELINES = 9 };
static const double COPY_REQUEST_MS = 40; /* samples per request: about this long */
static const double PIPELINES_S = 2;

/* --- copies ------------------------------------------------------------------------------------------------------- */

Prediction predict_copy(const Gpu *gpu, const Copy *copy) {
	Prediction p = {.gpu = gpu, .known = true};
	p.milliseconds = copy_predict(gpu, copy->direction, copy->memory, (double)copy->bytes);
	const double fixed = gpu->copy_us * 1e-3;
	snprintf(p.bound, sizeof p.bound, "%s",
			 p.milliseconds < 2 * fixed      ? "the cost of a copy"
			 : copy->memory == HOST_PAGEABLE ? "the host's own copy"
											 : "PCIe");
	return p;
}

static double gbps(size_t bytes, double ms) {
	return ms > 0 ? (double)bytes / (ms * 1e6) : 0;
}

typedef struct {
	Device *device;
	const Copy *copy;
	LaunchOutcome *outcome;
	Err *err;
	double samples[MOST_COPIES + COPY_SAMPLES];
	uint32_t n;
	CopyTimes last;
} CopySeries;

static bool take(CopySeries *s, uint32_t count) {
	if (measure_interrupted(s->outcome, s->err) || !device_copy(s->device, s->copy, count, &s->last, s->err))
		return false;
	memcpy(s->samples + s->n, s->last.milliseconds, count * sizeof *s->samples);
	s->n += count;
	return true;
}

static uint32_t at_once(double each_ms) {
	const double n = each_ms > 0 ? COPY_REQUEST_MS / each_ms : COPY_SAMPLES;
	return n < 1 ? 1 : n > COPY_SAMPLES ? COPY_SAMPLES : (uint32_t)n;
}

static bool take_copies(CopySeries *s, const MeasureConfig *config) {
	double sorted[MOST_COPIES + COPY_SAMPLES];
	StopRule rule = stop_rule_default();
	if (config->wall_cap_s > 0) rule.wall_cap_s = config->wall_cap_s;
	if (!take(s, COPY_WARM_UP)) return false;
	const uint32_t count = at_once(s->samples[COPY_WARM_UP - 1]);
	s->n = 0;
	stop_rule_start(&rule);
	for (;;) {
		if (!take(s, count)) return false;
		memcpy(sorted, s->samples, s->n * sizeof *sorted);
		sort_numbers(sorted, s->n);
		if (stop_rule_enough(&rule, sorted, s->n, seconds_now()) || s->n >= MOST_COPIES) break;
	}
	memcpy(s->samples, sorted, s->n * sizeof *sorted);
	return true;
}

static bool copies_on_gpu(CopySeries *s, const MeasureConfig *config, CopyMeasurement *m) {
	GpuLock lock;
	char note[sizeof m->times.note] = "";
	if (!timing_lock(s->device, &config->lock, &lock, s->outcome, s->err)) return false;
	const bool ok = take_copies(s, config), without = timing_unlock(s->device, &config->lock, &lock, note, sizeof note);
	if (!ok) return false;
	m->times = (Measurement){.kind = RATE_MEASURED,
							 .samples = s->n,
							 .batch = 1,
							 .median_ms = quantile(s->samples, s->n, 0.5),
							 .q1_ms = quantile(s->samples, s->n, 0.25),
							 .q3_ms = quantile(s->samples, s->n, 0.75),
							 .min_ms = s->samples[0],
							 .unlocked = without};
	memcpy(m->times.note, note, sizeof note);
	m->host_clock = s->last.host_clock;
	m->host_write_gbps = gbps(s->last.host_bytes, s->last.host_write_ms);
	m->host_read_gbps = gbps(s->last.host_bytes, s->last.host_read_ms);
	return true;
}

bool measure_copy(Device *device, const Copy *copy, const MeasureConfig *config, CopyMeasurement *out,
				  LaunchOutcome *outcome, Err *err) {
	static const MeasureConfig plain = {0};
	CopyMeasurement m = {0};
	if (!config) config = &plain;
	if ((device_info(device)->can & CAN_TIME)) {
		CopySeries *s = xcalloc(1, sizeof *s);
		*s = (CopySeries){.device = device, .copy = copy, .outcome = outcome, .err = err};
		const bool ok = copies_on_gpu(s, config, &m);
		free(s);
		if (!ok) return false;
	} else {
		const Prediction p = predict_copy(device_info(device)->gpu, copy);
		m.times = measurement_predicted(&p);
	}
	*out = m;
	return true;
}

/* --- pipelines ---------------------------------------------------------------------------------------------------- */

typedef struct {
	const PipelineJob *job;
	size_t in_bytes[PIPELINE_CHUNKS], out_bytes[PIPELINE_CHUNKS];
	double *kernel_ms;   /* [nmodels][chunks] */
	Prediction *longest; /* [nmodels] */
	bool *known;
} Forecast;

static bool chunk_bytes(Device *device, const PipelineJob *job, Forecast *f, Err *err) {
	BufferInfo in, out;
	if (!device_buffer_info(device, job->input, &in, err) || !device_buffer_info(device, job->output, &out, err))
		return false;
	for (uint32_t i = 0; i < job->shape.chunks; i++) {
		size_t first, count;
		pipeline_chunk(in.count, job->shape.chunks, i, &first, &count);
		f->in_bytes[i] = count * elem_bytes(in.type);
		f->out_bytes[i] = count * elem_bytes(out.type);
	}
	return true;
}

/* Each chunk's launch once on the emulator, observed by all models. */
static bool forecast_kernels(Device *device, Forecast *f, const Gpu *const *models, size_t nmodels,
							 LaunchOutcome *outcome, Err *err) {
	const uint32_t chunks = f->job->shape.chunks;
	AUTO_FREE Prediction *p = xcalloc(nmodels + 1, sizeof *p);
	bool ok = true;
	for (uint32_t i = 0; ok && i < chunks; i++) {
		ok = !measure_interrupted(outcome, err) &&
			 predict_list(device, LIST_OF(&f->job->launches[i]), models, nmodels, p, outcome, err);
		for (size_t m = 0; ok && m < nmodels; m++) {
			f->kernel_ms[m * chunks + i] = p[m].milliseconds;
			if (i == 0 || p[m].milliseconds > f->longest[m].milliseconds) f->longest[m] = p[m];
			f->known[m] = (i == 0 || f->known[m]) && p[m].known;
		}
	}
	return ok;
}

static double of_kind(const PipelineTimes *times, uint32_t n, SpanKind kind) {
	double sum = 0;
	for (uint32_t i = 0; i < n; i++)
		if (times->spans[i].kind == kind) sum += times->spans[i].end_ms - times->spans[i].start_ms;
	return sum;
}

static void name_bound(PipelineMeasurement *m, uint32_t chunks, const Prediction *kernel) {
	const double in = of_kind(&m->times, 3 * chunks, SPAN_IN), out = of_kind(&m->times, 3 * chunks, SPAN_OUT),
				 kernels = of_kind(&m->times, 3 * chunks, SPAN_KERNEL);
	if (kernels >= in && kernels >= out)
		snprintf(m->bound, sizeof m->bound, "kernels: %.54s", kernel->bound);
	else
		snprintf(m->bound, sizeof m->bound, "PCIe, %s the device", in >= out ? "to" : "from");
}

static void forecast(const Forecast *f, size_t model, const Gpu *gpu, PipelineMeasurement *m) {
	const uint32_t chunks = f->job->shape.chunks;
	*m = (PipelineMeasurement){.kind = RATE_PREDICTED, .known = f->known[model], .samples = 1};
	if (!m->known) {
		const Prediction *p = &f->longest[model];
		snprintf(m->note, sizeof m->note, "no prediction for the %s: %.200s", gpu->name, *p->note ? p->note : p->bound);
		return;
	}
	m->times.milliseconds =
		pipeline_predict(gpu, &f->job->shape, f->kernel_ms + model * chunks, f->in_bytes, f->out_bytes, m->times.spans);
	m->q1_ms = m->q3_ms = m->times.milliseconds;
	name_bound(m, chunks, &f->longest[model]);
}

static bool forecast_all(Device *device, const PipelineJob *job, const Gpu *const *models, size_t nmodels,
						 PipelineMeasurement *out, LaunchOutcome *outcome, Err *err) {
	AUTO_ARENA Arena *arena = arena_new();
	Forecast *f = arena_alloc(arena, sizeof *f);
	*f = (Forecast){.job = job,
					.kernel_ms = arena_array(arena, nmodels * job->shape.chunks, sizeof *f->kernel_ms),
					.longest = arena_array(arena, nmodels, sizeof *f->longest),
					.known = arena_array(arena, nmodels, sizeof *f->known)};
	const bool ok = chunk_bytes(device, job, f, err) && forecast_kernels(device, f, models, nmodels, outcome, err);
	for (size_t m = 0; ok && m < nmodels; m++) forecast(f, m, models[m], &out[m]);
	return ok;
}

static bool run_pipelines(Device *device, const PipelineJob *job, PipelineMeasurement *m, LaunchOutcome *outcome,
						  Err *err) {
	PipelineTimes *samples = xcalloc(PIPELINES, sizeof *samples);
	double totals[PIPELINES];
	uint32_t n = 0;
	bool ok = true;
	const double begun = seconds_now();
	for (int i = -1; ok && i < PIPELINES && (n < 3 || seconds_now() - begun < PIPELINES_S); i++) { /* -1: warms up */
		ok = !measure_interrupted(outcome, err) &&
			 device_pipeline(device, job, &samples[i < 0 ? 0 : i], outcome, err) &&
			 (outcome->status == LAUNCH_OK || launch_error(outcome, err));
		n = ok && i >= 0 ? (uint32_t)i + 1 : n;
	}
	if (ok) {
		sort_by_number(samples, n, sizeof *samples); /* by their total time */
		for (uint32_t i = 0; i < n; i++) totals[i] = samples[i].milliseconds;
		*m = (PipelineMeasurement){.kind = RATE_MEASURED, .known = true, .samples = n, .times = samples[n / 2]};
		m->q1_ms = quantile(totals, n, 0.25);
		m->q3_ms = quantile(totals, n, 0.75);
	}
	free(samples);
	return ok;
}

/* One by one first: this reports faults of a launch with their place. */
static bool run_plainly(Device *device, const PipelineJob *job, LaunchOutcome *outcome, Err *err) {
	AUTO_FREE LaunchItem *items = xcalloc(job->shape.chunks, sizeof *items);
	for (uint32_t i = 0; i < job->shape.chunks; i++) items[i].launch = job->launches[i];
	const LaunchList list = {items, job->shape.chunks, job->print, job->user};
	return measure_run(device, &list, outcome, err);
}

static bool pipelines_on_gpu(Device *device, const PipelineJob *job, const MeasureConfig *config,
							 PipelineMeasurement *m, LaunchOutcome *outcome, Err *err) {
	GpuLock lock;
	if (!run_plainly(device, job, outcome, err) || !timing_lock(device, &config->lock, &lock, outcome, err))
		return false;
	PipelineMeasurement taken = {0};
	const bool ok = run_pipelines(device, job, &taken, outcome, err);
	taken.unlocked = timing_unlock(device, &config->lock, &lock, taken.note, sizeof taken.note);
	if (ok) *m = taken;
	return ok;
}

bool measure_pipeline(Device *device, const PipelineJob *job, const MeasureConfig *config, const Gpu *const *models,
					  size_t nmodels, PipelineMeasurement *out, PipelineMeasurement *predicted, LaunchOutcome *outcome,
					  Err *err) {
	static const MeasureConfig plain = {0};
	if (!config) config = &plain;
	if ((device_info(device)->can & CAN_TIME))
		return (!nmodels || forecast_all(device, job, models, nmodels, predicted, outcome, err)) &&
			   pipelines_on_gpu(device, job, config, out, outcome, err);
	AUTO_FREE const Gpu **all = xcalloc(nmodels + 1, sizeof *all);
	AUTO_FREE PipelineMeasurement *each = xcalloc(nmodels + 1, sizeof *each);
	all[0] = device_info(device)->gpu;
	for (size_t i = 0; i < nmodels; i++) all[i + 1] = models[i];
	const bool ok = forecast_all(device, job, all, nmodels + 1, each, outcome, err);
	if (ok) {
		*out = each[0];
		if (nmodels) memcpy(predicted, each + 1, nmodels * sizeof *each);
	}
	return ok;
}
