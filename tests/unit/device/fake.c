#include "fake.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/str.h"
#include "device/backend/messages.h"
#include "device/backend/unavailable.h"
#include "wire/serve.h"

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
	size_t heap_bytes;
	bool heap_used; /* by `weigh` */
} Fake;

typedef struct {
	Fake *fake;
	const BackendLaunch *call;
	uint32_t threads; /* in all */
	LaunchOutcome *out;
} Run;

/* --- kernels ------------------------------------------------------------------------------------------------------ */

static void *pointer(const Run *r, uint32_t i) {
	void *p;
	memcpy(&p, (const uint8_t *)r->call->params + r->call->places[i].offset, sizeof p);
	return p;
}

static int integer(const Run *r, uint32_t i) {
	int v;
	memcpy(&v, (const uint8_t *)r->call->params + r->call->places[i].offset, sizeof v);
	return v;
}

static void scale(Run *r) {
	float *out = pointer(r, 0), *in = pointer(r, 1), by;
	memcpy(&by, (const uint8_t *)r->call->params + r->call->places[2].offset, sizeof by);
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
		const BackendEvents *to = &r->fake->base.events;
		if (to->print) to->print(to->user, text, (size_t)n);
	}
}

static void weigh(Run *r) {
	float *out = pointer(r, 0);
	Variables *v = &r->fake->variables[r->call->module % MOST_MODULES];
	for (uint32_t i = 0; i < r->threads; i++) out[i] = v->weights[i & 3];
	v->ticks++;
	r->fake->heap_used = true;
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

/* --- the vtable --------------------------------------------------------------------------------------------------- */

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
						.can = CAN_TIME,
						.devices = 1};
	snprintf(out->name, sizeof out->name, "fake");
	snprintf(out->backend, sizeof out->backend, "fake");
	snprintf(out->gpu_name, sizeof out->gpu_name, "a GPU that is none");
	snprintf(out->bus, sizeof out->bus, "fake:bus");
	snprintf(out->driver, sizeof out->driver, "%d", (int)getpid()); /* tells one worker from the next */
	return true;
}

static void *at(uint64_t addr) {
	return (void *)(uintptr_t)addr;
}

/* A fault that came late comes back from every call that follows. */
static bool still_works(const Backend *b, Err *err) {
	return !((const Fake *)b)->broken ||
		   err_set(err, ERR_SETUP, "asking the GPU failed: an illegal memory access was encountered");
}

static bool fake_alive(Backend *b) {
	return !((Fake *)b)->broken;
}

static bool fake_alloc(Backend *b, const Alloc *r, Number *out, Err *err) {
	void *p = NULL;
	if (strcmp(r->name, "kill me") == 0) raise(SIGKILL);
	if (strcmp(r->name, "last words") == 0) {
		fprintf(stderr, "first line\nthe bus is on fire\n");
		_exit(3);
	}
	if (strcmp(r->name, "break me") == 0) ((Fake *)b)->broken = true;
	if (!still_works(b, err)) return false;
	if (r->bytes > ((size_t)1 << 40) || posix_memalign(&p, 256, r->bytes) != 0)
		return err_set(err, ERR_SETUP, "'%s' needs %zu bytes, which is more than available", r->name, r->bytes);
	memset(p, 0x5a, r->bytes);
	out->value = (uintptr_t)p;
	return true;
}

static bool fake_free(Backend *b, const Number *addr, Nothing *out, Err *err) {
	free(at(addr->value));
	return true;
}

static bool fake_upload(Backend *b, const Upload *r, Err *err) {
	if (!still_works(b, err)) return false;
	memcpy(at(r->addr), r->data, r->bytes);
	return true;
}

static bool fake_download(Backend *b, const Download *r, Err *err) {
	if (!still_works(b, err)) return false;
	memcpy(r->data, at(r->addr), r->bytes);
	return true;
}

static bool fake_fill(Backend *b, const Fill *r, Nothing *out, Err *err) {
	memset(at(r->addr), r->byte, r->bytes);
	return true;
}

static bool fake_load(Backend *b, const ModuleCode *code, Number *module, Err *err) {
	if (!strstr(code->ptx, ".visible .entry scale"))
		return err_set(err, ERR_USAGE, "these are not the kernels of the tests");
	module->value = ++((Fake *)b)->modules;
	((Fake *)b)->variables[module->value % MOST_MODULES] = (Variables){.weights = {1, 2, 3, 4}, .ticks = 7};
	return true;
}

static bool fake_symbol(Backend *b, const SymbolRequest *r, SymbolPlace *out, Err *err) {
	Variables *v = &((Fake *)b)->variables[r->module % MOST_MODULES];
	const bool weights = strcmp(r->name, "weights") == 0;
	if (!weights && strcmp(r->name, "ticks") != 0) return err_set(err, ERR_SETUP, "no variable \"%s\" here", r->name);
	out->addr = weights ? (uintptr_t)v->weights : (uintptr_t)&v->ticks;
	out->bytes = weights ? sizeof v->weights : sizeof v->ticks;
	return true;
}

static bool fake_unload(Backend *b, const Number *module, Nothing *out, Err *err) {
	return true;
}

static bool fake_kernel_info(Backend *b, const KernelRequest *r, KernelInfo *out, Err *err) {
	*out =
		(KernelInfo){.registers = 10, .static_shared = 32, .local_bytes = 8, .const_bytes = 360, .max_threads = 1024};
	snprintf(out->name, sizeof out->name, "%s", r->name);
	return true;
}

static bool fake_occupancy(Backend *b, const KernelRequest *r, Occupancy *out, Err *err) {
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
		snprintf(out->message, sizeof out->message, "The launch requests %u threads per block; 1024 are allowed.",
				 c->block[0]);
		return true;
	}
	if (c->heap_bytes && r.fake->heap_used && c->heap_bytes != r.fake->heap_bytes) {
		gpu_heap_is_fixed(r.fake->heap_bytes, c->heap_bytes, out);
		return true;
	}
	if (c->heap_bytes) r.fake->heap_bytes = c->heap_bytes;
	for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
		if (strcmp(kernels[i].name, launch->linked_name) == 0) {
			kernels[i].run(&r);
			return true;
		}
	return err_set(err, ERR_USAGE, "the module has no kernel \"%s\"", launch->linked_name);
}

/* --- library routines --------------------------------------------------------------------------------------------- */

static bool fake_has_library(Backend *b, const LibraryRequest *r, Nothing *out, Err *err) {
	if (!((Fake *)b)->bare || r->routine == LIBRARY_MEMCPY) return true;
	return err_set(err, ERR_SETUP, "%s needs cuBLAS: libcublas.so.13 cannot be loaded", library_info(r->routine)->name);
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
	void *to[LIBRARY_BUFFERS];
	for (int i = 0; i < LIBRARY_BUFFERS; i++) to[i] = at(call->addrs[i]);
	if (!fake_has_library(b, &(LibraryRequest){call->routine}, NULL, err)) return false;
	*out = (LaunchOutcome){.milliseconds = 0.125};
	switch (call->routine) {
	case LIBRARY_SGEMM: sgemm(to[0], to[1], to[2], call->extents[0]); break;
	case LIBRARY_SGEAM: sgeam(to[0], to[1], call->extents[0], call->extents[1]); break;
	default: memcpy(to[0], to[1], call->bytes);
	}
	return true;
}

/* --- samples ------------------------------------------------------------------------------------------------------ */

/* scale takes 1 ms, every fifth time 2 ms at half the clock; count takes 4 µs; increment is slow when cold. */
static Sample one_sample(const BackendLaunch *launch, const SampleConfig *config, bool throttled) {
	Sample s = {
		.milliseconds = 1, .clock_ghz = 1.5, .overhead_ms = 0.001, .as_graph = config->graph && config->batch > 1};
	if (strcmp(launch->linked_name, "scale") == 0 && throttled) s = (Sample){.milliseconds = 2, .clock_ghz = 0.75};
	if (strcmp(launch->linked_name, "count") == 0) s.milliseconds = 0.004;
	if (strcmp(launch->linked_name, "increment") == 0) s.milliseconds = config->flush_l2 ? 1 : 0.25;
	return s;
}

static bool fake_item(Backend *b, const BackendItem *item, LaunchOutcome *out, Err *err) {
	return item->call.routine != LIBRARY_NONE ? fake_library(b, &item->call, out, err)
											  : fake_launch(b, &item->launch, out, err);
}

/* A library routine takes 0.5 ms; a list the sum. */
static bool take_sample(Fake *fake, const Submission *s, Sample *sample, LaunchOutcome *out, Err *err) {
	const bool throttled = fake->samples++ % 5 == 4;
	double sum = 0;
	*sample = (Sample){.clock_ghz = 1.5, .overhead_ms = 0.001};
	for (uint32_t k = 0; k < s->nitems; k++) {
		const bool library = s->items[k].call.routine != LIBRARY_NONE;
		if (!fake_item(&fake->base, &s->items[k], out, err)) return false;
		if (out->status != LAUNCH_OK) return true;
		if (!library) *sample = one_sample(&s->items[k].launch, &s->ask.sampling, throttled);
		sum += library ? 0.5 : sample->milliseconds;
	}
	sample->milliseconds = sum;
	sample->launch_ms = 0.0014;
	sample->temperature = 40 + fake->samples;
	return true;
}

static bool time_items(Fake *fake, const Submission *s, Report *out, Err *err) {
	const BackendEvents *to = &fake->base.events;
	out->samples = arena_array(fake->base.arena, s->ask.sampling.count, sizeof *out->samples);
	for (uint32_t i = 0; i < s->ask.sampling.count; i++) {
		if (!take_sample(fake, s, &out->samples[i], &out->outcome, err)) return false;
		if (out->outcome.status != LAUNCH_OK) return true;
		out->nsamples++;
		if (to->progress) to->progress(to->user);
	}
	return true;
}

static bool run_items(Backend *b, const Submission *s, LaunchOutcome *out, Err *err) {
	double milliseconds = 0;
	for (uint32_t i = 0; i < s->nitems && out->status == LAUNCH_OK; i++) {
		if (!fake_item(b, &s->items[i], out, err)) return false;
		milliseconds += out->milliseconds;
	}
	out->milliseconds = milliseconds;
	return true;
}

static bool fake_submit(Backend *b, const Submission *s, Report *out, Err *err) {
	Fake *fake = (Fake *)b;
	if (s->ask.mode != MODE_RUN && s->ask.mode != MODE_TIME) return err_set(err, ERR_USAGE, "a GPU does not emulate");
	if (!(s->ask.mode == MODE_RUN ? run_items(b, s, &out->outcome, err) : time_items(fake, s, out, err))) return false;
	out->lives = !fake->broken;
	return true;
}

/* A bus of 10 GB/s, of 5 for pageable memory, and 8 µs a copy. */
static double copy_ms(HostMemory memory, size_t bytes) {
	return 0.008 + (double)bytes / (memory == HOST_PAGEABLE ? 5e6 : 10e6);
}

static bool fake_copy(Backend *b, const CopyRequest *r, CopyTimes *out, Err *err) {
	const Copy *copy = &r->copy;
	*out = (CopyTimes){.host_clock = copy->memory == HOST_PAGEABLE,
					   .host_write_ms = 1,
					   .host_read_ms = copy->memory == HOST_WRITE_COMBINED ? 100 : 1,
					   .host_bytes = 1 << 20};
	for (uint32_t i = 0; i < r->count; i++) out->milliseconds[i] = copy_ms(copy->memory, copy->bytes) + (i % 4) * 1e-6;
	return true;
}

/* One after the other, each at its time; the data take the way they would. There is no write-combined memory for it,
 * and a kernel that is not known is noticed only when its turn comes. */
static bool run_pipeline(Fake *fake, const BackendPipeline *p, PipelineReport *out, Err *err) {
	bool ok = out->begun = true;
	uint8_t *in = xcalloc(p->input_bytes, 1), *received = xcalloc(p->output_bytes, 1);
	double now = 0;
	memcpy(in, at(p->input), p->input_bytes);
	memset(at(p->input), 0xff, p->input_bytes);
	pipeline_issue(&p->shape, out->times.spans);
	for (uint32_t i = 0; ok && i < 3 * p->shape.chunks && out->outcome.status == LAUNCH_OK; i++) {
		Span *s = &out->times.spans[i];
		const PipelineChunk *c = &p->chunks[s->chunk];
		s->start_ms = now;
		if (s->kind == SPAN_IN) {
			memcpy((uint8_t *)at(p->input) + c->in_first, in + c->in_first, c->in_bytes);
			now += copy_ms(p->shape.memory, c->in_bytes);
		} else if (s->kind == SPAN_OUT) {
			memcpy(received + c->out_first, (uint8_t *)at(p->output) + c->out_first, c->out_bytes);
			now += copy_ms(p->shape.memory, c->out_bytes);
		} else {
			ok = fake_launch(&fake->base, &c->launch, &out->outcome, err);
			now += 0.5;
		}
		s->end_ms = now;
	}
	memcpy(at(p->output), received, p->output_bytes);
	if (!ok || out->outcome.status != LAUNCH_OK) memcpy(at(p->input), in, p->input_bytes);
	out->times.milliseconds = now;
	free(in);
	free(received);
	return ok;
}

static bool fake_pipeline(Backend *b, const BackendPipeline *p, PipelineReport *out, Err *err) {
	Fake *fake = (Fake *)b;
	if (p->shape.memory == HOST_WRITE_COMBINED)
		err_set(&out->failed, ERR_SETUP, "the host gives no write-combined memory");
	else
		run_pipeline(fake, p, out, &out->failed);
	out->lives = !fake->broken;
	return true;
}

static const BackendOps fake_ops = {.name = "fake",
									.close = fake_close,
									.info = fake_info,
									.alloc = fake_alloc,
									.free = fake_free,
									.fill = fake_fill,
									.load = fake_load,
									.unload = fake_unload,
									.symbol = fake_symbol,
									.kernel_info = fake_kernel_info,
									.occupancy = fake_occupancy,
									.has_library = fake_has_library,
									.submit = fake_submit,
									.copy = fake_copy,
									.pipeline = fake_pipeline,
									.upload = fake_upload,
									.download = fake_download,
									.alive = fake_alive};

/* --- nonsense ----------------------------------------------------------------------------------------------------- */

static char nonsense[16]; /* its kind (fake.h) */

static void put_frame(uint16_t type, uint32_t sequence, uint32_t length, const void *data, size_t len) {
	uint8_t frame[FRAME_HEADER + 256];
	const uint32_t magic = FRAME_MAGIC;
	const uint16_t version = FRAME_VERSION;
	memcpy(frame, &magic, 4);
	memcpy(frame + 4, &version, 2);
	memcpy(frame + 6, &type, 2);
	memcpy(frame + 8, &sequence, 4);
	memcpy(frame + 12, &length, 4);
	if (len) memcpy(frame + FRAME_HEADER, data, len);
	if (write(WORKER_FD, frame, FRAME_HEADER + len) < 0) _exit(1);
}

static void send_nonsense(const Backend *b) {
	static const char noise[] = "this is no frame, and certainly not an answer to anything";
	const Err none = ERR_INIT;
	const uint32_t sequence = ((const Server *)b->events.user)->frame.sequence;
	uint8_t bytes[200];
	Str s = {0};
	for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (uint8_t)(i * 151 + 77);
	record_put(&s, &Err_record, &none);
	if (strcmp(nonsense, "noise") == 0 && write(WORKER_FD, noise, sizeof noise) < 0) _exit(1);
	if (strcmp(nonsense, "sequence") == 0) put_frame(FRAME_ANSWER, sequence + 1, 0, NULL, 0);
	if (strcmp(nonsense, "bytes") == 0) put_frame(FRAME_ANSWER, sequence, sizeof bytes, bytes, sizeof bytes);
	if (strcmp(nonsense, "ok") == 0) put_frame(FRAME_ERROR, sequence, (uint32_t)s.len, s.text, s.len);
	if (strcmp(nonsense, "type") == 0) put_frame(FRAME_CALLS, sequence, 0, NULL, 0);
	if (strcmp(nonsense, "length") == 0) put_frame(FRAME_ANSWER, sequence, FRAME_MAX + 1u, NULL, 0);
	str_free(&s);
}

#define X(name, Request, Answer)                                                                                       \
	static bool mad_##name(Backend *b, const Request *r, Answer *out, Err *err) {                                      \
		send_nonsense(b);                                                                                              \
		return true;                                                                                                   \
	}
BACKEND_CALLS(X)
#undef X

static bool mad_info(Backend *b, DeviceInfo *out, Err *err) {
	send_nonsense(b);
	return fake_info(b, out, err);
}

static bool mad_upload(Backend *b, const Upload *r, Err *err) {
	send_nonsense(b);
	return true;
}

static bool mad_download(Backend *b, const Download *r, Err *err) {
	send_nonsense(b);
	return true;
}

/* An emulator with memory of its own: everything goes through the window, and its contents die with it, as on a GPU. */
static Backend *lonely_emulator(BackendOps *ops) {
	Backend *b;
	Err err = ERR_INIT;
	if (!backend_emu_open(gpu_default(), NULL, 0, &b, &err)) _exit(1);
	*ops = *b->ops;
	ops->view = NULL;
	b->ops = ops;
	return b;
}

/* Answers that are whole, but not to what was asked: rows too many or too few. */
static bool (*honest_submit)(Backend *b, const Submission *s, Report *out, Err *err);

static bool mad_size(Backend *b, const Submission *s, Report *out, Err *err) {
	if (!honest_submit(b, s, out, err)) return false;
	if (strcmp(nonsense, "more") == 0) {
		out->nsamples = s->ask.sampling.count + 1;
		out->samples = arena_array(b->arena, out->nsamples, sizeof *out->samples);
	}
	if (strcmp(nonsense, "fewer") == 0 && out->nsamples) out->nsamples--;
	if (strcmp(nonsense, "fewer") == 0 && out->nitems) out->items[0].npredictions = 0;
	if (strcmp(nonsense, "rows") == 0 && out->nitems) out->nitems--;
	return true;
}

static bool (*emulator_alloc)(Backend *b, const Alloc *r, Number *out, Err *err);

static bool own_alloc(Backend *b, const Alloc *r, Number *out, Err *err) {
	Alloc own = *r;
	own.shared = NOT_SHARED;
	return emulator_alloc(b, &own, out, err);
}

/* "KIND:CALL" */
static void go_mad(BackendOps *ops, const char *what) {
	const char *call = strchr(what, ':') + 1;
	snprintf(nonsense, sizeof nonsense, "%.*s", (int)(call - 1 - what), what);
	honest_submit = ops->submit;
	if (strcmp(call, messages[MESSAGE_open].name) == 0) ops->info = mad_info;
	if (strcmp(call, messages[MESSAGE_upload].name) == 0) ops->upload = mad_upload;
	if (strcmp(call, messages[MESSAGE_download].name) == 0) ops->download = mad_download;
#define X(name, Request, Answer)                                                                                       \
	if (strcmp(call, #name) == 0) ops->name = mad_##name;
	BACKEND_CALLS(X)
#undef X
	if (strcmp(call, "size") == 0) ops->submit = mad_size;
}

Backend *mad_emulator(const char *what) {
	static BackendOps ops;
	Backend *b = lonely_emulator(&ops);
	emulator_alloc = ops.alloc;
	ops.alloc = own_alloc;
	go_mad(&ops, what);
	return b;
}

Backend *fake_backend(const char *name) {
	static BackendOps ops;
	if (strcmp(name, "fake:emu") == 0) return lonely_emulator(&ops);
	if (text_starts(name, "fake:emu:mad:")) {
		Backend *b = lonely_emulator(&ops);
		go_mad(&ops, name + strlen("fake:emu:mad:"));
		return b;
	}
	Fake *fake = xcalloc(1, sizeof *fake);
	ops = fake_ops;
	fake->base.ops = &ops;
	fake->heap_bytes = 8 << 20;
	fake->bare = strcmp(name, "fake:bare") == 0;
	if (strcmp(name, "fake:no") == 0) _exit(7);
	if (text_starts(name, "fake:mad:")) go_mad(&ops, name + strlen("fake:mad:"));
	return &fake->base;
}
