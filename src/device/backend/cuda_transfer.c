/* backend.h over cudart: mapped memory, copies timed, pipelines.
 *
 * A copy from or to pinned memory is timed by two events around it, minus the overhead of the events. The stream is
 * held by a host function until all three are queued, so that no gap between them comes from the host. Of a pageable
 * copy the GPU sees only the last part, from the driver's own pinned memory: it is timed by the host's clock, from
 * the call to the end. */
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/proc.h"
#include "base/sort.h"
#include "device/backend/cuda.h"

static const double COPIES_S = 20; /* of a pipeline's limit: copies and pinned memory */
enum { PAIRS = 15, HOST_PASSES = 3, HOST_LOOK = 8 << 20, HELD_OPERATIONS = 24 };

/* A piece of host memory, kept from call to call. */
typedef struct {
	HostMemory memory;
	void *at;     /* NULL: none */
	size_t bytes; /* room */
	double write_ms, read_ms;
	size_t looked; /* bytes written and read in that time; 0: not measured */
} HostBlock;

struct Copier {
	HostBlock in, out;
	void *device; /* what copies by themselves copy to and from */
	size_t device_bytes;
	cudaStream_t streams[PIPELINE_STREAMS];
	cudaEvent_t events[6 * PIPELINE_CHUNKS + 2];
	uint32_t nstreams, nevents; /* made so far */
	atomic_bool go;             /* what held streams wait for */
};

void cuda_copier_free(Copier *copier) {
	free(copier); /* memory, streams and events go with the process */
}

static Copier *copier_of(CudaBackend *c) {
	if (!c->copier) c->copier = xcalloc(1, sizeof *c->copier);
	return c->copier;
}

/* --- mapped memory ------------------------------------------------------------------------------------------------ */

bool cuda_alloc_mapped(CudaBackend *c, size_t bytes, const char *name, uint64_t *addr, Err *err) {
	void *host = NULL, *device = NULL;
	int can = 0;
	if (cudaDeviceGetAttribute(&can, cudaDevAttrCanMapHostMemory, c->ordinal) != cudaSuccess || !can) {
		err_set(err, ERR_SETUP, "the %s cannot map host memory", c->info.gpu_name);
		return err_hint(err, "copy the data to a buffer in device memory");
	}
	if (cudaHostAlloc(&host, bytes, cudaHostAllocMapped) != cudaSuccess) {
		cudaGetLastError();
		err_set(err, ERR_SETUP, "'%s': the host cannot pin %.1f MB of memory", name, (double)bytes * 1e-6);
		return err_hint(err, "free buffers, or choose a smaller problem");
	}
	if (!cuda_ok(c, cudaHostGetDevicePointer(&device, host, 0), "mapping host memory", err)) {
		cudaFreeHost(host);
		return false;
	}
	vec_push(&c->mapped, (MappedBlock){.host = host, .addr = (uintptr_t)device, .bytes = bytes});
	*addr = (uintptr_t)device;
	return true;
}

void *cuda_mapped(const CudaBackend *c, uint64_t addr, size_t bytes) {
	for (size_t i = 0; i < c->mapped.len; i++) {
		const MappedBlock *m = &c->mapped.data[i];
		if (addr >= m->addr && addr - m->addr < m->bytes && bytes <= m->bytes - (addr - m->addr))
			return (uint8_t *)m->host + (addr - m->addr);
	}
	return NULL;
}

bool cuda_free_mapped(CudaBackend *c, uint64_t addr, bool *ok, Err *err) {
	for (size_t i = 0; i < c->mapped.len; i++) {
		if (c->mapped.data[i].addr != addr) continue;
		void *host = c->mapped.data[i].host;
		c->mapped.data[i] = c->mapped.data[--c->mapped.len];
		*ok = cuda_ok(c, cudaFreeHost(host), "freeing memory", err);
		return true;
	}
	return false;
}

/* --- host memory -------------------------------------------------------------------------------------------------- */

static void drop_block(HostBlock *block) {
	if (block->at && block->memory == HOST_PAGEABLE) free(block->at);
	if (block->at && block->memory != HOST_PAGEABLE) cudaFreeHost(block->at);
	*block = (HostBlock){0};
}

static bool make_block(HostBlock *block, HostMemory memory, size_t bytes, Err *err) {
	if (block->at && block->memory == memory && block->bytes >= bytes) return true;
	drop_block(block);
	const size_t room = (bytes + 4095) / 4096 * 4096;
	void *at = NULL;
	if (memory == HOST_PAGEABLE) {
		at = aligned_alloc(4096, room);
	} else if (cudaHostAlloc(&at, room, memory == HOST_PINNED ? cudaHostAllocDefault : cudaHostAllocWriteCombined) !=
			   cudaSuccess) {
		cudaGetLastError();
		at = NULL;
	}
	if (!at) {
		err_set(err, ERR_SETUP, "the host cannot provide %.1f MB of %s memory", (double)room * 1e-6,
				host_memory_names[memory]);
		return err_hint(err, "copy less at once");
	}
	memset(at, 0, room); /* every page is there before anything is timed */
	*block = (HostBlock){.memory = memory, .at = at, .bytes = room};
	return true;
}

/* One core writes all words in turn, and reads all: the best of a few repetitions. */
static void look_from_host(HostBlock *block, size_t bytes) {
	const size_t words = (bytes < HOST_LOOK ? bytes : HOST_LOOK) / sizeof(uint64_t);
	volatile uint64_t *at = block->at;
	if (!words || block->looked == words * sizeof *at) return;
	block->write_ms = block->read_ms = 1e9;
	for (int pass = 0; pass < HOST_PASSES; pass++) {
		uint64_t sum = 0;
		const double begun = seconds_now();
		for (size_t i = 0; i < words; i++) at[i] = i;
		const double written = seconds_now();
		for (size_t i = 0; i < words; i++) sum += at[i];
		const double read = seconds_now();
		if (sum != (uint64_t)words * (words - 1) / 2) return; /* cannot be; and keeps the sum */
		if ((written - begun) * 1e3 < block->write_ms) block->write_ms = (written - begun) * 1e3;
		if ((read - written) * 1e3 < block->read_ms) block->read_ms = (read - written) * 1e3;
	}
	block->looked = words * sizeof *at;
}

static bool make_device_room(CudaBackend *c, Copier *k, size_t bytes, Err *err) {
	if (k->device_bytes >= bytes) return true;
	if (k->device) cudaFree(k->device);
	k->device = NULL;
	k->device_bytes = 0;
	if (!cuda_ok(c, cudaMalloc(&k->device, bytes), "allocating memory for the copies", err)) return false;
	k->device_bytes = bytes;
	return true;
}

/* --- holding a stream --------------------------------------------------------------------------------------------- */

static void CUDART_CB wait_to_go(void *user) {
	const Copier *k = user;
	while (!atomic_load(&k->go)) sched_yield();
}

static bool hold(CudaBackend *c, Copier *k, Err *err) {
	atomic_store(&k->go, false);
	return cuda_ok(c, cudaLaunchHostFunc(c->stream, wait_to_go, k), "holding the stream", err);
}

static void let_go(Copier *k) {
	atomic_store(&k->go, true);
}

/* Without the interrupt that a blocking wait sleeps for: it may come late. */
static cudaError_t wait_awake(cudaStream_t stream) {
	cudaError_t status;
	while ((status = cudaStreamQuery(stream)) == cudaErrorNotReady) sched_yield();
	return status;
}

/* --- copies ------------------------------------------------------------------------------------------------------- */

typedef struct {
	void *to;
	const void *from;
	size_t bytes; /* 0: two events around nothing */
	enum cudaMemcpyKind kind;
} Move;

static bool time_by_events(CudaBackend *c, Copier *k, const Move *m, double *ms, Err *err) {
	cudaError_t queued = cudaSuccess;
	float between = 0;
	if (!hold(c, k, err)) return false;
	cudaEventRecord(c->start, c->stream);
	if (m->bytes) queued = cudaMemcpyAsync(m->to, m->from, m->bytes, m->kind, c->stream);
	cudaEventRecord(c->stop, c->stream);
	let_go(k);
	const cudaError_t ended = wait_awake(c->stream);
	if (!cuda_ok(c, queued, "copying", err) || !cuda_ok(c, ended, "copying", err) ||
		!cuda_ok(c, cudaEventElapsedTime(&between, c->start, c->stop), "reading the time", err))
		return false;
	*ms = between;
	return true;
}

static bool time_by_host(CudaBackend *c, const Move *m, double *ms, Err *err) {
	const double begun = seconds_now();
	const cudaError_t queued = cudaMemcpyAsync(m->to, m->from, m->bytes, m->kind, c->stream);
	const cudaError_t ended = wait_awake(c->stream);
	*ms = (seconds_now() - begun) * 1e3;
	return cuda_ok(c, queued, "copying", err) && cuda_ok(c, ended, "copying", err);
}

static bool events_distance(CudaBackend *c, Copier *k, double *ms, Err *err) {
	double pairs[PAIRS];
	for (int i = 0; i < PAIRS; i++)
		if (!time_by_events(c, k, &(Move){0}, &pairs[i], err)) return false;
	sort_numbers(pairs, PAIRS);
	*ms = pairs[PAIRS / 2];
	return true;
}

/* The last bytes show whether a copy has arrived: before it the two sides differ in them. */
enum { TAIL = 64, SENT = 0x5a, WAITING = 0xa5 };

static size_t tail_of(size_t bytes) {
	return bytes < TAIL ? bytes : TAIL;
}

static bool arrived(CudaBackend *c, const Move *m, Err *err) {
	uint8_t got[TAIL];
	const size_t n = tail_of(m->bytes), first = m->bytes - n;
	if (!cuda_ok(c, cudaMemcpy(got, (const uint8_t *)m->to + first, n, cudaMemcpyDefault), "reading back", err))
		return false;
	for (size_t i = 0; i < n; i++)
		if (got[i] != SENT) return err_set(err, ERR_WRONG, "a copy of %zu bytes did not arrive", m->bytes);
	return true;
}

static bool set_up_move(CudaBackend *c, Copier *k, const Copy *copy, Move *m, Err *err) {
	if (!make_block(&k->in, copy->memory, copy->bytes, err) || !make_device_room(c, k, copy->bytes, err)) return false;
	look_from_host(&k->in, copy->bytes);
	const bool to_device = copy->direction == COPY_TO_DEVICE;
	if (to_device)
		*m = (Move){k->device, k->in.at, copy->bytes, cudaMemcpyHostToDevice};
	else
		*m = (Move){k->in.at, k->device, copy->bytes, cudaMemcpyDeviceToHost};
	const size_t n = tail_of(copy->bytes), first = copy->bytes - n;
	memset((uint8_t *)k->in.at + first, to_device ? SENT : WAITING, n);
	return cuda_ok(c, cudaMemset((uint8_t *)k->device + first, to_device ? WAITING : SENT, n), "filling memory", err);
}

bool cuda_copy(Backend *b, const CopyRequest *request, CopyTimes *out, Err *err) {
	CudaBackend *c = (CudaBackend *)b;
	const Copy *copy = &request->copy;
	Copier *k = copier_of(c);
	Move m;
	double overhead = 0;
	if (!set_up_move(c, k, copy, &m, err) || !cuda_ok(c, cudaDeviceSynchronize(), "waiting", err)) return false;
	out->host_clock = copy->memory == HOST_PAGEABLE;
	if (!out->host_clock && !events_distance(c, k, &overhead, err)) return false;
	for (uint32_t i = 0; i < request->count; i++) {
		double *ms = &out->milliseconds[i];
		if (!(out->host_clock ? time_by_host(c, &m, ms, err) : time_by_events(c, k, &m, ms, err))) return false;
		*ms = *ms > overhead ? *ms - overhead : 0;
	}
	out->host_write_ms = k->in.write_ms;
	out->host_read_ms = k->in.read_ms;
	out->host_bytes = k->in.looked;
	return arrived(c, &m, err);
}

/* --- pipelines ---------------------------------------------------------------------------------------------------- */

static bool make_streams(CudaBackend *c, Copier *k, uint32_t streams, uint32_t events, Err *err) {
	for (; k->nstreams < streams; k->nstreams++)
		if (!cuda_ok(c, cudaStreamCreateWithFlags(&k->streams[k->nstreams], cudaStreamNonBlocking), "making a stream",
					 err))
			return false;
	for (; k->nevents < events; k->nevents++)
		if (!cuda_ok(c, cudaEventCreate(&k->events[k->nevents]), "making an event", err)) return false;
	return true;
}

/* The input's content goes to the host; on the GPU nothing changes. */
static bool save_input(CudaBackend *c, Copier *k, const BackendPipeline *p, Err *err) {
	if (!make_block(&k->in, p->shape.memory, p->input_bytes, err) ||
		!make_block(&k->out, p->shape.memory == HOST_WRITE_COMBINED ? HOST_PINNED : p->shape.memory, p->output_bytes,
					err))
		return false;
	k->in.looked = 0;
	memset(k->out.at, 0xff, p->output_bytes);
	return cuda_ok(c, cudaMemcpy(k->in.at, (void *)(uintptr_t)p->input, p->input_bytes, cudaMemcpyDefault),
				   "copying from the GPU", err);
}

static bool wipe(CudaBackend *c, const BackendPipeline *p, Err *err) {
	return cuda_ok(c, cudaMemset((void *)(uintptr_t)p->input, 0xff, p->input_bytes), "filling memory", err) &&
		   cuda_ok(c, cudaMemset((void *)(uintptr_t)p->output, 0xff, p->output_bytes), "filling memory", err) &&
		   cuda_ok(c, cudaDeviceSynchronize(), "waiting", err);
}

static cudaError_t issue_one(const Copier *k, const BackendPipeline *p, const Span *span, Prepared *launch) {
	const PipelineChunk *chunk = &p->chunks[span->chunk];
	cudaStream_t stream = k->streams[span->stream];
	uint8_t *input = (uint8_t *)(uintptr_t)p->input, *output = (uint8_t *)(uintptr_t)p->output;
	switch (span->kind) {
	case SPAN_IN:
		return cudaMemcpyAsync(input + chunk->in_first, (uint8_t *)k->in.at + chunk->in_first, chunk->in_bytes,
							   cudaMemcpyDefault, stream);
	case SPAN_OUT:
		return cudaMemcpyAsync((uint8_t *)k->out.at + chunk->out_first, output + chunk->out_first, chunk->out_bytes,
							   cudaMemcpyDefault, stream);
	default: launch->config.stream = stream; return cuda_enqueue(launch);
	}
}

/* Every stream waits for the beginning, c->stream for every stream's end. An event is before and after each
 * operation. */
static cudaError_t issue_all(CudaBackend *c, const Copier *k, const BackendPipeline *p, Prepared *launches,
							 const Span *spans) {
	const uint32_t n = 3 * p->shape.chunks;
	cudaError_t status = cudaSuccess;
	cudaEventRecord(c->start, c->stream);
	for (uint32_t s = 0; s < p->shape.streams; s++) cudaStreamWaitEvent(k->streams[s], c->start, 0);
	for (uint32_t i = 0; i < n && status == cudaSuccess; i++) {
		cudaEventRecord(k->events[2 * i], k->streams[spans[i].stream]);
		status = issue_one(k, p, &spans[i], &launches[spans[i].chunk]);
		cudaEventRecord(k->events[2 * i + 1], k->streams[spans[i].stream]);
	}
	cudaEvent_t join = k->events[2 * n];
	for (uint32_t s = 0; s < p->shape.streams; s++) {
		cudaEventRecord(join, k->streams[s]);
		cudaStreamWaitEvent(c->stream, join, 0);
	}
	return status;
}

static bool read_times(CudaBackend *c, const Copier *k, const BackendPipeline *p, PipelineTimes *out, Err *err) {
	float ms = 0;
	int engines = 0;
	out->milliseconds = 0;
	for (uint32_t i = 0; i < 3 * p->shape.chunks; i++) {
		if (!cuda_ok(c, cudaEventElapsedTime(&ms, c->start, k->events[2 * i]), "reading the time", err)) return false;
		out->spans[i].start_ms = ms > 0 ? ms : 0;
		if (!cuda_ok(c, cudaEventElapsedTime(&ms, c->start, k->events[2 * i + 1]), "reading the time", err))
			return false;
		out->spans[i].end_ms = ms > out->spans[i].start_ms ? ms : out->spans[i].start_ms;
		if (out->spans[i].end_ms > out->milliseconds) out->milliseconds = out->spans[i].end_ms;
	}
	if (cudaDeviceGetAttribute(&engines, cudaDevAttrAsyncEngineCount, c->ordinal) != cudaSuccess) engines = 1;
	pipeline_wait_for_engines(out->spans, 3 * p->shape.chunks, engines > 1 ? 2 : 1);
	return true;
}

/* A held stream's queue has room for some operations only: longer ones are issued while they run. So are pageable
 * copies, whose calls do not return before. */
static bool may_hold(const Pipeline *shape) {
	return shape->memory != HOST_PAGEABLE && 3 * shape->chunks / shape->streams <= HELD_OPERATIONS;
}

/* Broken off, and the GPU lives: what was issued ends, and the input is as before. Where that fails, too, nothing is
 * left to rely on. */
static void put_back(CudaBackend *c, const Copier *k, const BackendPipeline *p) {
	if (c->broken) return;
	if (cudaDeviceSynchronize() != cudaSuccess ||
		cudaMemcpy((void *)(uintptr_t)p->input, k->in.at, p->input_bytes, cudaMemcpyDefault) != cudaSuccess)
		c->broken = true;
	cudaGetLastError();
}

static bool run_pipeline(CudaBackend *c, Copier *k, const BackendPipeline *p, Prepared *launches, PipelineTimes *out,
						 LaunchOutcome *outcome, Err *err) {
	const bool held = may_hold(&p->shape);
	pipeline_issue(&p->shape, out->spans);
	let_go(k);
	if (held && !hold(c, k, err)) return false;
	const cudaError_t queued = issue_all(c, k, p, launches, out->spans);
	let_go(k);
	if (!cuda_conclude(c, queued, outcome, err)) return false;
	if (outcome->status != LAUNCH_OK) return true;
	return read_times(c, k, p, out, err) &&
		   cuda_ok(c, cudaMemcpy((void *)(uintptr_t)p->output, k->out.at, p->output_bytes, cudaMemcpyDefault),
				   "copying to the GPU", err) &&
		   cuda_ok(c, cudaDeviceSynchronize(), "waiting", err);
}

static bool prepare_and_run(CudaBackend *c, const BackendPipeline *p, Prepared *launches, PipelineReport *out,
							Err *err) {
	Copier *k = copier_of(c);
	LaunchOutcome *outcome = &out->outcome;
	bool ok = make_streams(c, k, p->shape.streams, 6 * p->shape.chunks + 1, err);
	for (uint32_t i = 0; ok && i < p->shape.chunks && outcome->status == LAUNCH_OK; i++)
		ok = cuda_prepare(c, &p->chunks[i].launch, &launches[i], outcome, err) || outcome->status == LAUNCH_LIMIT;
	if (!ok || outcome->status != LAUNCH_OK) return ok;
	if (!save_input(c, k, p, err)) return false;
	out->begun = true;
	ok = wipe(c, p, err) && run_pipeline(c, k, p, launches, &out->times, outcome, err);
	if (!ok || outcome->status != LAUNCH_OK) put_back(c, k, p);
	return ok;
}

/* How far it came matters where it broke off, too, so that the report carries the error. */
bool cuda_pipeline(Backend *b, const BackendPipeline *p, PipelineReport *out, Err *err) {
	CudaBackend *c = (CudaBackend *)b;
	Prepared *launches = xcalloc(p->shape.chunks, sizeof *launches);
	*out = (PipelineReport){0};
	c->limit_s = p->chunks[0].launch.config.timeout_ms / 1e3 + COPIES_S;
	const bool ok = prepare_and_run(c, p, launches, out, &out->failed);
	if (ok) cuda_forward_output(c);
	for (uint32_t i = 0; i < p->shape.chunks; i++) free(launches[i].args);
	free(launches);
	out->lives = !c->broken;
	return true;
}
