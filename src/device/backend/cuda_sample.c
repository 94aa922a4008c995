/* backend.h over cudart: samples.
 *
 * One stream has: the clock stamp, which holds the stream until everything behind it is queued, so that no gap comes
 * from the host; the flush kernel that fills the L2 with clean lines; an event; the launch; an event. The second
 * clock stamp is queued after all that: one that waits behind the second event delays it by 0.2 µs. The two events
 * have an overhead, which is measured repeatedly without a launch in the same state of the stream, and subtracted. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/proc.h"
#include "base/sort.h"
#include "base/str.h"
#include "device/backend/cuda.h"

extern const char clock_ptx[]; /* clock.ptx */

/* What its kernel `stamp` reads. */
typedef struct {
	uint64_t cycles, nanoseconds; /* %clock64, %globaltimer */
	uint64_t sm;                  /* its SM: counters of different SMs are not comparable */
} ClockReading;

enum { PAIRS = 31, SAMPLES_A_PAIR = 16 };

struct Sampler {
	void *other; /* twice the L2 of other data, zeros; NULL: this GPU reports no L2 */
	size_t other_bytes;
	cudaLibrary_t library;
	cudaKernel_t stamp, flush, nothing; /* NULL: the driver could not load them */
	void *readings;                     /* two ClockReadings on the device */
	double pairs[PAIRS];                /* the latest distances of two events around nothing, in ms */
	uint32_t npairs, since_pair;
	double launch_ms;             /* of a launch that does nothing; 0: not known */
	double temperature, looked_s; /* read again after a while */
	cudaGraphExec_t graph;        /* the last batch that was made a graph, and what it was made of */
	Str graph_key;
};

void cuda_sampler_free(Sampler *s) {
	if (!s) return;
	str_free(&s->graph_key);
	free(s);
}

/* --- making ready ------------------------------------------------------------------------------------------------- */

/* Without the stamp times are still right, and only the SM clock stays unknown; without the flush kernel the L2 is
 * flushed by writing. */
static void load_kernels(Sampler *s) {
	if (cudaLibraryLoadData(&s->library, clock_ptx, NULL, NULL, 0, NULL, NULL, 0) != cudaSuccess ||
		cudaLibraryGetKernel(&s->flush, s->library, "flush") != cudaSuccess)
		s->flush = NULL;
	if (!s->flush || cudaLibraryGetKernel(&s->stamp, s->library, "stamp") != cudaSuccess ||
		cudaMalloc(&s->readings, 2 * sizeof(ClockReading)) != cudaSuccess)
		s->stamp = NULL;
	if (!s->flush || cudaLibraryGetKernel(&s->nothing, s->library, "nothing") != cudaSuccess) s->nothing = NULL;
	cudaGetLastError();
}

static bool ready_to_sample(CudaBackend *c, Err *err) {
	if (c->sampler) return true;
	Sampler *s = xcalloc(1, sizeof *s);
	s->other_bytes = 2 * c->info.l2_bytes / 16 * 16;
	if (s->other_bytes &&
		!(cuda_ok(c, cudaMalloc(&s->other, s->other_bytes), "allocating memory to flush the L2", err) &&
		  cuda_ok(c, cudaMemsetAsync(s->other, 0, s->other_bytes, c->stream), "flushing the L2", err))) {
		free(s);
		return false;
	}
	load_kernels(s);
	c->sampler = s;
	return true;
}

/* --- what is around a launch -------------------------------------------------------------------------------------- */

static void stamp(CudaBackend *c, int which, uint64_t hold_ns) {
	Sampler *s = c->sampler;
	if (!s->stamp) return;
	ClockReading *where = (ClockReading *)s->readings + which;
	void *args[] = {&where, &hold_ns};
	const cudaLaunchConfig_t one = {.gridDim = {1, 1, 1}, .blockDim = {1, 1, 1}, .stream = c->stream};
	if (cudaLaunchKernelExC(&one, (const void *)s->stamp, args) != cudaSuccess) s->stamp = NULL;
}

static void flush(CudaBackend *c) {
	Sampler *s = c->sampler;
	uint64_t bytes = s->other_bytes;
	void *args[] = {&s->other, &bytes};
	const cudaLaunchConfig_t all = {.gridDim = {8 * c->info.sms, 1, 1}, .blockDim = {256, 1, 1}, .stream = c->stream};
	if (!s->other) return;
	if (s->flush && cudaLaunchKernelExC(&all, (const void *)s->flush, args) != cudaSuccess) s->flush = NULL;
	if (!s->flush) cudaMemsetAsync(s->other, 0, s->other_bytes, c->stream);
}

static void hold(CudaBackend *c, uint32_t launches) {
	enum { LONGEST_NS = 5000000 };
	const uint64_t ns = 40000 + 3000ull * launches;
	stamp(c, 0, ns < LONGEST_NS ? ns : LONGEST_NS);
}

/* Cycles over nanoseconds between the two readings. globaltimer has a resolution of up to 1 µs: a span shorter than
 * 20 µs is not usable, and neither are two SMs. */
static double clock_between(CudaBackend *c) {
	enum { SHORTEST_NS = 20000 };
	ClockReading r[2];
	if (!c->sampler->stamp ||
		cudaMemcpyAsync(r, c->sampler->readings, sizeof r, cudaMemcpyDeviceToHost, c->stream) != cudaSuccess ||
		cudaStreamSynchronize(c->stream) != cudaSuccess)
		return 0;
	if (r[0].sm != r[1].sm || r[1].nanoseconds < r[0].nanoseconds + SHORTEST_NS || r[1].cycles <= r[0].cycles) return 0;
	return (double)(r[1].cycles - r[0].cycles) / (double)(r[1].nanoseconds - r[0].nanoseconds);
}

/* --- the events' own distance ------------------------------------------------------------------------------------- */

/* Two events in the state of the stream in which samples are taken, with nothing between them, or a launch of it. */
static bool read_distance(CudaBackend *c, cudaKernel_t between, double *out, Err *err) {
	static const char doing[] = "reading the overhead of the events";
	const cudaLaunchConfig_t one = {.gridDim = {1, 1, 1}, .blockDim = {32, 1, 1}, .stream = c->stream};
	cudaError_t queued = cudaSuccess;
	float ms = 0;
	hold(c, 1);
	flush(c);
	cudaEventRecord(c->start, c->stream);
	if (between) queued = cudaLaunchKernelExC(&one, (const void *)between, NULL);
	cudaEventRecord(c->stop, c->stream);
	if (!cuda_ok(c, queued, doing, err) || !cuda_ok(c, cudaStreamSynchronize(c->stream), doing, err) ||
		!cuda_ok(c, cudaEventElapsedTime(&ms, c->start, c->stop), doing, err))
		return false;
	*out = ms;
	return true;
}

static bool read_pair(CudaBackend *c, Err *err) {
	Sampler *s = c->sampler;
	if (!read_distance(c, NULL, &s->pairs[s->npairs % PAIRS], err)) return false;
	s->npairs++;
	s->since_pair = 0;
	return true;
}

/* The mean of the middle half: events have a resolution of 32 ns, and a median would be a multiple of it. */
static double middle(const double values[PAIRS]) {
	enum { FIRST = PAIRS / 4, LAST = PAIRS - PAIRS / 4 };
	double sorted[PAIRS], sum = 0;
	memcpy(sorted, values, sizeof sorted);
	sort_numbers(sorted, PAIRS);
	for (int i = FIRST; i < LAST; i++) sum += sorted[i];
	return sum / (LAST - FIRST);
}

static double overhead(const Sampler *s) {
	return middle(s->pairs);
}

static bool read_launch(CudaBackend *c, Err *err) {
	Sampler *s = c->sampler;
	double around[PAIRS];
	if (!s->nothing) return true;
	for (int i = 0; i < PAIRS; i++)
		if (!read_distance(c, s->nothing, &around[i], err)) return false;
	s->launch_ms = fmax(middle(around) - overhead(s), 0);
	return true;
}

static bool pairs_are_fresh(CudaBackend *c, Err *err) {
	Sampler *s = c->sampler;
	if (s->npairs < PAIRS) {
		while (s->npairs < PAIRS)
			if (!read_pair(c, err)) return false;
		if (!read_launch(c, err)) return false;
	}
	return s->since_pair++ < SAMPLES_A_PAIR || read_pair(c, err);
}

/* Asking takes longer than many a sample, and nothing warms up in between. */
static double temperature(CudaBackend *c) {
	static const double AGAIN_S = 0.2;
	Sampler *s = c->sampler;
	const double now = seconds_now();
	if (!s->looked_s || now - s->looked_s > AGAIN_S) {
		s->temperature = cuda_nvml_temperature(c->info.bus);
		s->looked_s = now;
	}
	return s->temperature;
}

/* --- many launches as a graph ------------------------------------------------------------------------------------- */

typedef struct {
	const BackendItem *item;
	Prepared launch; /* unless the item is a library routine */
} Step;

typedef struct {
	Step *steps;
	uint32_t nsteps;
} Steps;

/* Everything of it once; false with err for a library routine that refuses. */
static bool enqueue(CudaBackend *c, const Steps *steps, cudaError_t *queued, Err *err) {
	for (uint32_t i = 0; i < steps->nsteps && *queued == cudaSuccess; i++) {
		const Step *step = &steps->steps[i];
		if (step->item->call.routine == LIBRARY_NONE)
			*queued = cuda_enqueue(&step->launch);
		else if (!cuda_library_enqueue(c, &step->item->call, queued, err))
			return false;
	}
	return true;
}

static void add_call_key(const BackendCall *call, Str *key) {
	str_addn(key, (const char *)&call->routine, sizeof call->routine);
	str_addn(key, (const char *)call->addrs, sizeof call->addrs);
	str_addn(key, (const char *)call->extents, sizeof call->extents);
	str_addn(key, (const char *)&call->bytes, sizeof call->bytes);
}

/* Equal keys, equal graphs. Addresses are in the parameters; numbers of modules are never used twice. */
static void add_key(const BackendLaunch *launch, Str *key) {
	str_addn(key, (const char *)&launch->module, sizeof launch->module);
	str_addn(key, (const char *)launch->config.grid, sizeof launch->config.grid);
	str_addn(key, (const char *)launch->config.block, sizeof launch->config.block);
	str_addn(key, (const char *)launch->config.cluster, sizeof launch->config.cluster);
	str_addn(key, (const char *)&launch->config.shared_bytes, sizeof launch->config.shared_bytes);
	str_addn(key, (const char *)&launch->config.cooperative, sizeof launch->config.cooperative);
	str_addn(key, launch->params, launch->param_bytes);
	str_addn(key, launch->linked_name, strlen(launch->linked_name) + 1);
}

static void make_key(const Steps *steps, uint32_t batch, Str *key) {
	str_addn(key, (const char *)&batch, sizeof batch);
	for (uint32_t i = 0; i < steps->nsteps; i++) {
		const BackendItem *item = steps->steps[i].item;
		if (item->call.routine == LIBRARY_NONE)
			add_key(&item->launch, key);
		else
			add_call_key(&item->call, key);
	}
}

static void forget_graph(Sampler *s) {
	if (s->graph) cudaGraphExecDestroy(s->graph);
	s->graph = NULL;
	str_clear(&s->graph_key);
}

static cudaGraphExec_t capture(CudaBackend *c, const Steps *steps, uint32_t batch) {
	cudaGraph_t graph = NULL;
	cudaGraphExec_t made = NULL;
	cudaError_t queued = cudaStreamBeginCapture(c->stream, cudaStreamCaptureModeThreadLocal);
	if (queued == cudaSuccess) {
		for (uint32_t i = 0; i < batch && queued == cudaSuccess; i++)
			if (!enqueue(c, steps, &queued, NULL)) queued = cudaErrorUnknown;
		cudaError_t ended = cudaStreamEndCapture(c->stream, &graph);
		if (queued == cudaSuccess) queued = ended;
	}
	if (queued == cudaSuccess && graph && cudaGraphInstantiate(&made, graph, 0) != cudaSuccess) made = NULL;
	if (made && cudaGraphUpload(made, c->stream) != cudaSuccess) {
		cudaGraphExecDestroy(made);
		made = NULL;
	}
	if (graph) cudaGraphDestroy(graph);
	cudaGetLastError(); /* what cannot be a graph is launched one by one */
	return made;
}

static cudaGraphExec_t graph_of(CudaBackend *c, const Steps *steps, uint32_t batch) {
	Sampler *s = c->sampler;
	AUTO_STR Str key = {0};
	make_key(steps, batch, &key);
	const bool known = s->graph && key.len == s->graph_key.len && memcmp(key.text, s->graph_key.text, key.len) == 0;
	if (!known) {
		forget_graph(s);
		s->graph = capture(c, steps, batch);
		str_addn(&s->graph_key, key.text, key.len);
	}
	return s->graph;
}

/* --- samples ------------------------------------------------------------------------------------------------------ */

/* How many launches' worth of queueing the host needs for all of it. */
static uint32_t host_launches(const Steps *steps, uint32_t batch) {
	enum { LIBRARY_LAUNCHES = 7 }; /* a call of cuBLAS takes the host some 20 µs */
	uint64_t n = 0;
	for (uint32_t i = 0; i < steps->nsteps; i++)
		n += steps->steps[i].item->call.routine == LIBRARY_NONE ? 1 : LIBRARY_LAUNCHES;
	n *= batch;
	return n < UINT32_MAX ? (uint32_t)n : UINT32_MAX;
}

static bool sample_once(CudaBackend *c, const Steps *steps, const SampleConfig *config, cudaGraphExec_t graph,
						Sample *sample, LaunchOutcome *out, Err *err) {
	cudaError_t queued = cudaSuccess;
	float ms = 0;
	hold(c, graph ? 1 : host_launches(steps, config->batch));
	if (config->flush_l2) flush(c);
	cudaEventRecord(c->start, c->stream);
	if (graph)
		queued = cudaGraphLaunch(graph, c->stream);
	else
		for (uint32_t i = 0; i < config->batch && queued == cudaSuccess; i++)
			if (!enqueue(c, steps, &queued, err)) return false;
	cudaEventRecord(c->stop, c->stream);
	if (!cuda_conclude(c, queued, out, err)) return false;
	if (out->status != LAUNCH_OK) return true;
	stamp(c, 1, 0);
	if (!cuda_ok(c, cudaEventElapsedTime(&ms, c->start, c->stop), "reading the time", err)) return false;
	sample->overhead_ms = overhead(c->sampler);
	sample->milliseconds = fmax(ms - sample->overhead_ms, 0) / config->batch;
	sample->clock_ghz = clock_between(c);
	sample->launch_ms = c->sampler->launch_ms;
	sample->temperature = temperature(c);
	sample->as_graph = graph != NULL;
	return true;
}

/* False: see out (a limit) or err. */
static bool prepare(CudaBackend *c, const BackendItem *items, Steps *steps, LaunchOutcome *out, Err *err) {
	for (uint32_t i = 0; i < steps->nsteps; i++) {
		Step *step = &steps->steps[i];
		step->item = &items[i];
		const bool ok = items[i].call.routine == LIBRARY_NONE
							? cuda_prepare(c, &items[i].launch, &step->launch, out, err)
							: cuda_has_library(&c->base, &(LibraryRequest){items[i].call.routine}, NULL, err);
		if (!ok) return false;
	}
	return true;
}

static bool take_samples(CudaBackend *c, const Steps *steps, const SampleConfig *config, Sample *samples,
						 LaunchOutcome *out, Err *err) {
	cudaGraphExec_t graph = config->graph && config->batch > 1 ? graph_of(c, steps, config->batch) : NULL;
	for (uint32_t i = 0; i < config->count && out->status == LAUNCH_OK; i++) {
		if (!pairs_are_fresh(c, err) || !sample_once(c, steps, config, graph, &samples[i], out, err)) return false;
		if (c->base.events.progress) c->base.events.progress(c->base.events.user);
	}
	return true;
}

bool cuda_sample(CudaBackend *c, const Submission *s, Sample *samples, LaunchOutcome *out, Err *err) {
	*out = (LaunchOutcome){0};
	if (!ready_to_sample(c, err)) return false;
	Steps steps = {.steps = xcalloc(s->nitems, sizeof *steps.steps), .nsteps = s->nitems};
	bool ok = prepare(c, s->items, &steps, out, err);
	if (ok) {
		ok = take_samples(c, &steps, &s->ask.sampling, samples, out, err);
		cuda_forward_output(c);
	} else {
		ok = out->status == LAUNCH_LIMIT;
	}
	for (uint32_t i = 0; i < s->nitems; i++) free(steps.steps[i].launch.args);
	free(steps.steps);
	return ok;
}
