#include "fake.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"

/* The variables of kernels.cu, of one module each. */
enum { MOST_MODULES = 64 };
typedef struct {
	float weights[4];
	int ticks;
} Variables;

typedef struct {
	Backend base;
	bool broken;
	bool bare; /* without cuBLAS */
	uint64_t modules;
	Variables variables[MOST_MODULES];
	uint32_t samples; /* taken so far */
} Fake;

typedef struct {
	Fake *fake;
	const BackendLaunch *call;
	uint32_t threads; /* in all */
	LaunchOutcome *out;
} Run;

/* --- kernels ------------------------------------------------------------------------------------------------------------ */

static void *pointer(const Run *r, uint32_t i) {
	void *p;
	memcpy(&p, (const uint8_t *)r->call->params + r->call->param_offsets[i], sizeof p);
	return p;
}

static int integer(const Run *r, uint32_t i) {
	int v;
	memcpy(&v, (const uint8_t *)r->call->params + r->call->param_offsets[i], sizeof v);
	return v;
}

static void scale(Run *r) {
	float *out = pointer(r, 0), *in = pointer(r, 1), by;
	memcpy(&by, (const uint8_t *)r->call->params + r->call->param_offsets[2], sizeof by);
	for (uint32_t i = 0; i < r->threads && (int)i < integer(r, 3); i++) out[i] = in[i] * by;
}

static void past_end(Run *r) {
	int *out = pointer(r, 0);
	for (uint32_t i = 0; i < r->threads && (int)i <= integer(r, 1); i++) out[i] = (int)i;
}

static void before_start(Run *r) {
	int *out = pointer(r, 0);
	for (uint32_t i = 0; i < r->threads; i++) out[(int)i - 1] = 1;
}

static void increment(Run *r) {
	int *data = pointer(r, 0);
	for (uint32_t i = 0; i < r->threads && (int)i < integer(r, 1); i++) data[i]++;
}

static void count(Run *r) {
	*(int *)pointer(r, 0) += (int)r->threads;
}

static void forever(Run *r) {
	(void)r;
	for (;;) pause();
}

static void say(Run *r) {
	char text[64];
	for (uint32_t i = 0; i < r->threads; i++) {
		int n = snprintf(text, sizeof text, "thread %u of %d\n", i, integer(r, 0));
		if (r->call->print) r->call->print(r->call->user, text, (size_t)n);
	}
}

static void weigh(Run *r) {
	float *out = pointer(r, 0);
	Variables *v = &r->fake->variables[r->call->module % MOST_MODULES];
	for (uint32_t i = 0; i < r->threads; i++) out[i] = v->weights[i & 3];
	v->ticks++;
}

static void break_down(Run *r, FaultKind kind, const char *what) {
	*r->out = (LaunchOutcome){.status = LAUNCH_FAULT, .fault = {.kind = kind, .threads = 1}};
	snprintf(r->out->message, sizeof r->out->message, "The GPU stopped the kernel: %s.", what);
	r->fake->broken = true;
}

static void illegal(Run *r) {
	break_down(r, FAULT_OUT_OF_BOUNDS, "an illegal memory access was encountered");
}

static void trapped(Run *r) {
	break_down(r, FAULT_UNKNOWN, "unspecified launch failure");
}

static const struct {
	const char *name;
	void (*run)(Run *r);
} kernels[] = {{"scale", scale},
			   {"past_end", past_end},
			   {"before_start", before_start},
			   {"far_away", illegal},
			   {"increment", increment},
			   {"count", count},
			   {"forever", forever},
			   {"say", say},
			   {"trapped", trapped},
			   {"mystery", illegal},
			   {"weigh", weigh}};

/* --- the vtable ------------------------------------------------------------------------------------------------------------ */

static void fake_close(Backend *b) {
	free(b);
}

static bool fake_info(Backend *b, DeviceInfo *out, Err *err) {
	*out = (DeviceInfo){.cc = 90,
						.sms = 4,
						.l2_bytes = 1 << 20,
						.memory_bytes = 1 << 30,
						.dram_gbps = 1000,
						.threads_per_block = 1024,
						.gpu = gpu_default(),
						.devices = 1};
	snprintf(out->name, sizeof out->name, "fake");
	snprintf(out->backend, sizeof out->backend, "fake");
	snprintf(out->gpu_name, sizeof out->gpu_name, "a GPU that is none");
	snprintf(out->bus, sizeof out->bus, "fake:bus");
	snprintf(out->driver, sizeof out->driver, "%d", (int)getpid()); /* tells one worker from the next */
	return true;
}

static bool fake_alloc(Backend *b, size_t bytes, const char *name, uint64_t *addr, Err *err) {
	void *p = NULL;
	if (strcmp(name, "kill me") == 0) raise(SIGKILL);
	if (strcmp(name, "last words") == 0) {
		fprintf(stderr, "first line\nthe bus is on fire\n");
		_exit(3);
	}
	if (bytes > ((size_t)1 << 40) || posix_memalign(&p, 256, bytes) != 0)
		return err_set(err, ERR_SETUP, "'%s' needs %zu bytes, which is more than there is", name, bytes);
	memset(p, 0x5a, bytes);
	*addr = (uintptr_t)p;
	return true;
}

static bool fake_free(Backend *b, uint64_t addr, Err *err) {
	free((void *)(uintptr_t)addr);
	return true;
}

static bool fake_upload(Backend *b, uint64_t addr, const void *data, size_t bytes, Err *err) {
	memcpy((void *)(uintptr_t)addr, data, bytes);
	return true;
}

static bool fake_download(Backend *b, uint64_t addr, void *data, size_t bytes, Err *err) {
	memcpy(data, (void *)(uintptr_t)addr, bytes);
	return true;
}

static bool fake_fill(Backend *b, uint64_t addr, uint8_t byte, size_t bytes, Err *err) {
	memset((void *)(uintptr_t)addr, byte, bytes);
	return true;
}

static bool fake_load(Backend *b, const Compiled *compiled, uint64_t *module, Err *err) {
	if (!compiled->ptx || !strstr(compiled->ptx, ".visible .entry scale"))
		return err_set(err, ERR_USAGE, "these are not the kernels of the tests");
	*module = ++((Fake *)b)->modules;
	((Fake *)b)->variables[*module % MOST_MODULES] = (Variables){.weights = {1, 2, 3, 4}, .ticks = 7};
	return true;
}

static bool fake_symbol(Backend *b, uint64_t module, const char *name, uint64_t *addr, size_t *bytes, Err *err) {
	Variables *v = &((Fake *)b)->variables[module % MOST_MODULES];
	const bool weights = strcmp(name, "weights") == 0;
	if (!weights && strcmp(name, "ticks") != 0) return err_set(err, ERR_SETUP, "no variable \"%s\" here", name);
	*addr = weights ? (uintptr_t)v->weights : (uintptr_t)&v->ticks;
	*bytes = weights ? sizeof v->weights : sizeof v->ticks;
	return true;
}

static bool fake_unload(Backend *b, uint64_t module, Err *err) {
	return true;
}

static bool fake_kernel_info(Backend *b, uint64_t module, const char *linked_name, KernelInfo *out, Err *err) {
	*out =
		(KernelInfo){.registers = 10, .static_shared = 32, .local_bytes = 8, .const_bytes = 360, .max_threads = 1024};
	snprintf(out->name, sizeof out->name, "%s", linked_name);
	return true;
}

static bool fake_occupancy(Backend *b, uint64_t module, const char *linked_name, uint32_t threads, size_t shared,
						   Occupancy *out, Err *err) {
	*out = (Occupancy){.blocks_per_sm = 8, .warps_per_sm = 64, .fraction = 1, .limited_by = "registers"};
	return true;
}

static bool fake_launch(Backend *b, const BackendLaunch *launch, LaunchOutcome *out, Err *err) {
	const LaunchConfig *c = &launch->config;
	Run r = {.fake = (Fake *)b,
			 .call = launch,
			 .out = out,
			 .threads = c->grid[0] * c->grid[1] * c->grid[2] * c->block[0] * c->block[1] * c->block[2]};
	*out = (LaunchOutcome){.milliseconds = 0.5};
	if (c->block[0] > 1024) {
		out->status = LAUNCH_LIMIT;
		snprintf(out->message, sizeof out->message, "%u threads a block were asked for; 1024 are allowed.",
				 c->block[0]);
		return true;
	}
	for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
		if (strcmp(kernels[i].name, launch->linked_name) == 0) {
			kernels[i].run(&r);
			return true;
		}
	return err_set(err, ERR_USAGE, "the module has no kernel \"%s\"", launch->linked_name);
}

/* --- library routines ------------------------------------------------------------------------------------------------------- */

static bool fake_has_library(Backend *b, LibraryRoutine routine, Err *err) {
	if (!((Fake *)b)->bare || routine == LIBRARY_MEMCPY) return true;
	return err_set(err, ERR_SETUP, "%s needs cuBLAS: libcublas.so.13 cannot be loaded", library_info(routine)->name);
}

static void sgemm(float *c, const float *a, const float *b, uint64_t n) {
	for (uint64_t i = 0; i < n; i++)
		for (uint64_t j = 0; j < n; j++) {
			float sum = 0;
			for (uint64_t k = 0; k < n; k++) sum += a[i * n + k] * b[k * n + j];
			c[i * n + j] = sum;
		}
}

static void sgeam(float *to, const float *from, uint64_t rows, uint64_t columns) {
	for (uint64_t r = 0; r < rows; r++)
		for (uint64_t col = 0; col < columns; col++) to[col * rows + r] = from[r * columns + col];
}

static bool fake_library(Backend *b, const BackendCall *call, LaunchOutcome *out, Err *err) {
	void *at[LIBRARY_BUFFERS];
	for (int i = 0; i < LIBRARY_BUFFERS; i++) at[i] = (void *)(uintptr_t)call->addrs[i];
	if (!fake_has_library(b, call->routine, err)) return false;
	*out = (LaunchOutcome){.milliseconds = 0.125};
	switch (call->routine) {
	case LIBRARY_SGEMM: sgemm(at[0], at[1], at[2], call->extents[0]); break;
	case LIBRARY_SGEAM: sgeam(at[0], at[1], call->extents[0], call->extents[1]); break;
	default: memcpy(at[0], at[1], call->bytes);
	}
	return true;
}

/* --- samples ------------------------------------------------------------------------------------------------------------------ */

/* scale takes 1 ms, every fifth time 2 ms at half the clock; count takes 4 µs; increment is slow when cold. */
static Sample one_sample(const BackendLaunch *launch, const SampleConfig *config, bool throttled) {
	Sample s = {
		.milliseconds = 1, .clock_ghz = 1.5, .overhead_ms = 0.001, .as_graph = config->graph && config->batch > 1};
	if (strcmp(launch->linked_name, "scale") == 0 && throttled) s = (Sample){.milliseconds = 2, .clock_ghz = 0.75};
	if (strcmp(launch->linked_name, "count") == 0) s.milliseconds = 0.004;
	if (strcmp(launch->linked_name, "increment") == 0) s.milliseconds = config->flush_l2 ? 1 : 0.25;
	return s;
}

/* A library routine takes 0.5 ms; a work the sum. */
static bool fake_sample(Backend *b, const BackendItem *items, uint32_t nitems, const SampleConfig *config,
						Sample *samples, LaunchOutcome *out, Err *err) {
	Fake *fake = (Fake *)b;
	for (uint32_t i = 0; i < config->count; i++) {
		const bool throttled = fake->samples++ % 5 == 4;
		double sum = 0;
		samples[i] = (Sample){.clock_ghz = 1.5, .overhead_ms = 0.001};
		for (uint32_t k = 0; k < nitems; k++) {
			const bool library = items[k].call.routine != LIBRARY_NONE;
			if (library ? !fake_library(b, &items[k].call, out, err) : !fake_launch(b, &items[k].launch, out, err))
				return false;
			if (out->status != LAUNCH_OK) return true;
			if (!library) samples[i] = one_sample(&items[k].launch, config, throttled);
			sum += library ? 0.5 : samples[i].milliseconds;
		}
		samples[i].milliseconds = sum;
		samples[i].launch_ms = 0.0014;
		samples[i].temperature = 40 + fake->samples;
	}
	return true;
}

/* A bus of 10 GB/s, of 5 for pageable memory, and 8 µs a copy. */
static double copy_ms(HostMemory memory, size_t bytes) {
	return 0.008 + (double)bytes / (memory == HOST_PAGEABLE ? 5e6 : 10e6);
}

static bool fake_copy(Backend *b, const Copy *copy, uint32_t count, CopyTimes *out, Err *err) {
	*out = (CopyTimes){.host_clock = copy->memory == HOST_PAGEABLE,
					   .host_write_ms = 1,
					   .host_read_ms = copy->memory == HOST_WRITE_COMBINED ? 100 : 1,
					   .host_bytes = 1 << 20};
	for (uint32_t i = 0; i < count; i++) out->milliseconds[i] = copy_ms(copy->memory, copy->bytes) + (i % 4) * 1e-6;
	return true;
}

/* One after the other, each at its time; the data take the way they would. There is no write-combined memory for it, and a
 * kernel that is not known is noticed only when its turn comes. */
static bool fake_pipeline(Backend *b, const BackendPipeline *p, PipelineTimes *out, LaunchOutcome *outcome, bool *begun,
						  Err *err) {
	if (p->shape.memory == HOST_WRITE_COMBINED)
		return err_set(err, ERR_SETUP, "the host gives no write-combined memory");
	bool ok = *begun = true;
	uint8_t *in = xcalloc(p->input_bytes, 1), *received = xcalloc(p->output_bytes, 1);
	double now = 0;
	memcpy(in, (void *)(uintptr_t)p->input, p->input_bytes);
	memset((void *)(uintptr_t)p->input, 0xff, p->input_bytes);
	pipeline_issue(&p->shape, out->spans);
	*outcome = (LaunchOutcome){0};
	for (uint32_t i = 0; ok && i < 3 * p->shape.chunks && outcome->status == LAUNCH_OK; i++) {
		Span *s = &out->spans[i];
		const PipelineChunk *c = &p->chunks[s->chunk];
		s->start_ms = now;
		if (s->kind == SPAN_IN) {
			memcpy((uint8_t *)(uintptr_t)p->input + c->in_first, in + c->in_first, c->in_bytes);
			now += copy_ms(p->shape.memory, c->in_bytes);
		} else if (s->kind == SPAN_OUT) {
			memcpy(received + c->out_first, (uint8_t *)(uintptr_t)p->output + c->out_first, c->out_bytes);
			now += copy_ms(p->shape.memory, c->out_bytes);
		} else {
			ok = fake_launch(b, &p->launches[s->chunk], outcome, err);
			now += 0.5;
		}
		s->end_ms = now;
	}
	memcpy((void *)(uintptr_t)p->output, received, p->output_bytes);
	if (!ok || outcome->status != LAUNCH_OK) memcpy((void *)(uintptr_t)p->input, in, p->input_bytes);
	out->milliseconds = now;
	free(in);
	free(received);
	return ok;
}

static bool fake_alive(Backend *b) {
	return !((Fake *)b)->broken;
}

static const BackendOps fake_ops = {.name = "fake",
									.close = fake_close,
									.info = fake_info,
									.alloc = fake_alloc,
									.free = fake_free,
									.upload = fake_upload,
									.download = fake_download,
									.fill = fake_fill,
									.load = fake_load,
									.unload = fake_unload,
									.symbol = fake_symbol,
									.kernel_info = fake_kernel_info,
									.occupancy = fake_occupancy,
									.launch = fake_launch,
									.sample = fake_sample,
									.has_library = fake_has_library,
									.library = fake_library,
									.alloc_mapped = fake_alloc,
									.copy = fake_copy,
									.pipeline = fake_pipeline,
									.alive = fake_alive};

/* Writes noise where an answer should be. */
static bool mad_info(Backend *b, DeviceInfo *out, Err *err) {
	static const char noise[] = "this is no frame, and certainly not an answer to anything";
	if (write(3, noise, sizeof noise) < 0) _exit(1);
	return fake_info(b, out, err);
}

Backend *fake_backend(const char *name) {
	static BackendOps mad;
	Fake *fake = xcalloc(1, sizeof *fake);
	fake->base.ops = &fake_ops;
	fake->bare = strcmp(name, "fake:bare") == 0;
	if (strcmp(name, "fake:no") == 0) _exit(7);
	if (strcmp(name, "fake:mad") == 0) {
		mad = fake_ops;
		mad.info = mad_info;
		fake->base.ops = &mad;
	}
	return &fake->base;
}
