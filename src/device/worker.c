/* worker.h: reads a call, does it, answers; until the other end closes. */
#include "device/worker.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "device/unavailable.h"
#include "device/wire.h"

typedef struct {
	Backend *backend; /* NULL: opening failed, and why is in `failure` */
	Err failure;
	int fd;
	Frame call;
	Str answer;
	uint8_t *shared; /* WIRE_PIECE bytes; NULL: there is none, and no bulk data can come or go */
} Worker;

static bool is_alive(const Worker *w) {
	return !w->backend->ops->alive || w->backend->ops->alive(w->backend);
}

static void print(void *user, const char *text, size_t len) {
	const Worker *w = user;
	for (size_t done = 0, n; done < len; done += n) {
		n = len - done < WIRE_PIECE ? len - done : WIRE_PIECE;
		wire_send(w->fd, FRAME_PRINT, w->call.sequence, text + done, n, NULL);
	}
}

/* --- one function a call: reads r, puts the answer; false with err ------------------------------------------------------- */

static bool malformed(Err *err) {
	return err_set(err, ERR_USAGE, "the worker was sent a malformed call");
}

static bool do_info(Worker *w, Reader *r, Err *err) {
	DeviceInfo info = {0};
	if (!reader_done(r)) return malformed(err);
	if (!w->backend->ops->info(w->backend, &info, err)) return false;
	info.can_time = w->backend->ops->sample != NULL;
	put_device_info(&w->answer, &info);
	return true;
}

static bool do_alloc(Worker *w, Reader *r, Err *err) {
	char name[64];
	uint64_t addr, bytes = get_u64(r);
	get_text(r, name, sizeof name);
	if (!reader_done(r)) return malformed(err);
	if (!w->backend->ops->alloc(w->backend, bytes, name, &addr, err)) return false;
	put_u64(&w->answer, addr);
	return true;
}

static bool do_free(Worker *w, Reader *r, Err *err) {
	uint64_t addr = get_u64(r);
	return reader_done(r) ? w->backend->ops->free(w->backend, addr, err) : malformed(err);
}

static bool do_upload(Worker *w, Reader *r, Err *err) {
	uint64_t addr = get_u64(r), bytes = get_u64(r);
	if (!reader_done(r) || bytes > WIRE_PIECE || !w->shared) return malformed(err);
	return w->backend->ops->upload(w->backend, addr, w->shared, bytes, err);
}

static bool do_download(Worker *w, Reader *r, Err *err) {
	uint64_t addr = get_u64(r), bytes = get_u64(r);
	if (!reader_done(r) || bytes > WIRE_PIECE || !w->shared) return malformed(err);
	return w->backend->ops->download(w->backend, addr, w->shared, bytes, err);
}

static bool do_fill(Worker *w, Reader *r, Err *err) {
	uint64_t addr = get_u64(r);
	uint8_t byte = get_u8(r);
	uint64_t bytes = get_u64(r);
	return reader_done(r) ? w->backend->ops->fill(w->backend, addr, byte, bytes, err) : malformed(err);
}

static bool do_load(Worker *w, Reader *r, Err *err) {
	Compiled compiled;
	uint64_t module;
	get_compiled(r, &compiled);
	if (!reader_done(r)) return malformed(err);
	if (!w->backend->ops->load(w->backend, &compiled, &module, err)) return false;
	put_u64(&w->answer, module);
	return true;
}

static bool do_unload(Worker *w, Reader *r, Err *err) {
	uint64_t module = get_u64(r);
	return reader_done(r) ? w->backend->ops->unload(w->backend, module, err) : malformed(err);
}

static bool no_textures(Err *err) {
	return err_set(err, ERR_SETUP, "this device has no textures");
}

static bool do_texture(Worker *w, Reader *r, Err *err) {
	TextureDesc desc;
	char name[64];
	uint64_t number, object;
	get_texture(r, &desc);
	get_text(r, name, sizeof name);
	if (!reader_done(r)) return malformed(err);
	if (!w->backend->ops->texture) return no_textures(err);
	if (!w->backend->ops->texture(w->backend, &desc, name, &number, &object, err)) return false;
	put_u64(&w->answer, number);
	put_u64(&w->answer, object);
	return true;
}

static bool do_texture_free(Worker *w, Reader *r, Err *err) {
	const uint64_t number = get_u64(r);
	if (!reader_done(r)) return malformed(err);
	return w->backend->ops->texture ? w->backend->ops->texture_free(w->backend, number, err) : no_textures(err);
}

static bool do_texture_copy(Worker *w, Reader *r, Err *err) {
	const uint64_t number = get_u64(r), addr = get_u64(r);
	const bool into = get_bool(r);
	if (!reader_done(r)) return malformed(err);
	if (!w->backend->ops->texture) return no_textures(err);
	return w->backend->ops->texture_copy(w->backend, number, addr, into, err);
}

static bool do_symbol(Worker *w, Reader *r, Err *err) {
	char name[4096];
	uint64_t module = get_u64(r), addr;
	size_t bytes;
	get_text(r, name, sizeof name);
	if (!reader_done(r)) return malformed(err);
	if (!w->backend->ops->symbol(w->backend, module, name, &addr, &bytes, err)) return false;
	put_u64(&w->answer, addr);
	put_u64(&w->answer, bytes);
	return true;
}

static bool do_kernel_info(Worker *w, Reader *r, Err *err) {
	char name[4096];
	KernelInfo info = {0};
	uint64_t module = get_u64(r);
	get_text(r, name, sizeof name);
	if (!reader_done(r)) return malformed(err);
	if (!w->backend->ops->kernel_info(w->backend, module, name, &info, err)) return false;
	put_kernel_info(&w->answer, &info);
	return true;
}

static bool do_occupancy(Worker *w, Reader *r, Err *err) {
	char name[4096];
	Occupancy occupancy = {0};
	uint64_t module = get_u64(r);
	get_text(r, name, sizeof name);
	uint32_t threads = get_u32(r);
	uint64_t shared = get_u64(r);
	if (!reader_done(r)) return malformed(err);
	if (!w->backend->ops->occupancy(w->backend, module, name, threads, shared, &occupancy, err)) return false;
	put_occupancy(&w->answer, &occupancy);
	return true;
}

static bool do_launch(Worker *w, Reader *r, Err *err) {
	WireLaunch call;
	LaunchOutcome outcome = {0};
	get_launch(r, &call);
	call.launch.print = print;
	call.launch.user = w;
	bool ok = reader_done(r) ? w->backend->ops->launch(w->backend, &call.launch, &outcome, err) : malformed(err);
	wire_launch_free(&call);
	if (!ok) return false;
	put_outcome(&w->answer, &outcome);
	put_u8(&w->answer, is_alive(w));
	return true;
}

/* Sample by sample, so that the other end sees progress. */
static bool take_samples(Worker *w, const WireWork *work, SampleConfig config, Sample *samples, LaunchOutcome *out,
						 Err *err) {
	const uint32_t count = config.count;
	config.count = 1;
	for (uint32_t i = 0; i < count && out->status == LAUNCH_OK; i++) {
		if (!w->backend->ops->sample(w->backend, work->items, work->nitems, &config, &samples[i], out, err))
			return false;
		wire_send(w->fd, FRAME_SAMPLED, w->call.sequence, NULL, 0, NULL);
	}
	return true;
}

static bool do_sample(Worker *w, Reader *r, Err *err) {
	enum { MOST = 1 << 20 };
	WireWork work;
	LaunchOutcome outcome = {0};
	SampleConfig config = {0};
	Sample *samples = NULL;
	get_work(r, &work);
	for (uint32_t i = 0; i < work.nitems; i++) {
		work.items[i].launch.print = print;
		work.items[i].launch.user = w;
	}
	config.count = get_u32(r);
	config.flush_l2 = get_bool(r);
	config.batch = get_u32(r);
	config.graph = get_bool(r);
	bool ok = reader_done(r) && config.count <= MOST && config.count && config.batch;
	if (!ok) {
		malformed(err);
	} else if (!w->backend->ops->sample) {
		ok = err_set(err, ERR_USAGE, "this device cannot time a kernel");
	} else {
		samples = xcalloc(config.count, sizeof *samples);
		ok = take_samples(w, &work, config, samples, &outcome, err);
	}
	if (ok) {
		put_outcome(&w->answer, &outcome);
		put_u8(&w->answer, is_alive(w));
		for (uint32_t i = 0; i < config.count; i++) put_sample(&w->answer, &samples[i]);
	}
	free(samples);
	wire_work_free(&work);
	return ok;
}

static bool do_has_library(Worker *w, Reader *r, Err *err) {
	const uint32_t routine = get_u32(r);
	if (!reader_done(r) || routine == LIBRARY_NONE || routine >= LIBRARY_ROUTINES) return malformed(err);
	if (!w->backend->ops->has_library) return library_missing((LibraryRoutine)routine, err);
	return w->backend->ops->has_library(w->backend, (LibraryRoutine)routine, err);
}

static bool do_library(Worker *w, Reader *r, Err *err) {
	BackendCall call;
	LaunchOutcome outcome = {0};
	get_call(r, &call);
	if (!reader_done(r)) return malformed(err);
	if (!w->backend->ops->library) return library_missing(call.routine, err);
	if (!w->backend->ops->library(w->backend, &call, &outcome, err)) return false;
	put_outcome(&w->answer, &outcome);
	put_u8(&w->answer, is_alive(w));
	return true;
}

/* --- transfers ----------------------------------------------------------------------------------------------------------- */

static bool do_alloc_mapped(Worker *w, Reader *r, Err *err) {
	char name[64];
	uint64_t addr, bytes = get_u64(r);
	get_text(r, name, sizeof name);
	if (!reader_done(r)) return malformed(err);
	if (!w->backend->ops->alloc_mapped) return err_set(err, ERR_SETUP, "this device cannot map host memory");
	if (!w->backend->ops->alloc_mapped(w->backend, bytes, name, &addr, err)) return false;
	put_u64(&w->answer, addr);
	return true;
}

static bool do_copy(Worker *w, Reader *r, Err *err) {
	Copy copy;
	CopyTimes times = {0};
	uint32_t count;
	get_copy(r, &copy, &count);
	if (!reader_done(r)) return malformed(err);
	if (!w->backend->ops->copy) return err_set(err, ERR_USAGE, "this device cannot time a copy");
	if (!w->backend->ops->copy(w->backend, &copy, count, &times, err)) return false;
	put_copy_times(&w->answer, &times, count);
	return true;
}

/* How far it came matters where it broke off, too, so that the answer carries the error. */
static void put_pipeline_end(Worker *w, bool done, bool begun, const LaunchOutcome *outcome, const PipelineTimes *times,
							 uint32_t chunks, const Err *err) {
	put_u8(&w->answer, done);
	put_u8(&w->answer, begun);
	put_u8(&w->answer, is_alive(w));
	if (done) {
		put_outcome(&w->answer, outcome);
		put_pipeline_times(&w->answer, times, chunks);
	} else {
		put_err(&w->answer, err);
	}
}

static bool do_pipeline(Worker *w, Reader *r, Err *err) {
	WirePipeline call;
	LaunchOutcome outcome = {0};
	PipelineTimes *times = xcalloc(1, sizeof *times);
	get_pipeline(r, &call);
	const uint32_t chunks = call.pipeline.shape.chunks;
	bool asked = false, begun = false;
	for (uint32_t i = 0; i < chunks && reader_done(r); i++) {
		call.launches[i].print = print;
		call.launches[i].user = w;
	}
	if (!reader_done(r)) {
		malformed(err);
	} else if (!w->backend->ops->pipeline) {
		err_set(err, ERR_USAGE, "this device cannot time a pipeline");
	} else {
		asked = true;
		const bool done = w->backend->ops->pipeline(w->backend, &call.pipeline, times, &outcome, &begun, err);
		put_pipeline_end(w, done, begun, &outcome, times, chunks, err);
	}
	wire_pipeline_free(&call);
	free(times);
	return asked;
}

/* --- the loop ------------------------------------------------------------------------------------------------------------ */

typedef bool (*Do)(Worker *w, Reader *r, Err *err);
static const Do calls[FRAME_TYPES] = {[FRAME_INFO] = do_info,
									  [FRAME_ALLOC] = do_alloc,
									  [FRAME_ALLOC_MAPPED] = do_alloc_mapped,
									  [FRAME_FREE] = do_free,
									  [FRAME_UPLOAD] = do_upload,
									  [FRAME_DOWNLOAD] = do_download,
									  [FRAME_FILL] = do_fill,
									  [FRAME_COPY] = do_copy,
									  [FRAME_PIPELINE] = do_pipeline,
									  [FRAME_LOAD] = do_load,
									  [FRAME_UNLOAD] = do_unload,
									  [FRAME_KERNEL_INFO] = do_kernel_info,
									  [FRAME_OCCUPANCY] = do_occupancy,
									  [FRAME_LAUNCH] = do_launch,
									  [FRAME_SAMPLE] = do_sample,
									  [FRAME_HAS_LIBRARY] = do_has_library,
									  [FRAME_LIBRARY] = do_library,
									  [FRAME_SYMBOL] = do_symbol,
									  [FRAME_TEXTURE] = do_texture,
									  [FRAME_TEXTURE_FREE] = do_texture_free,
									  [FRAME_TEXTURE_COPY] = do_texture_copy};

static bool answer(Worker *w) {
	Err err = ERR_INIT;
	Reader r = reader_of(&w->call);
	str_clear(&w->answer);
	bool ok;
	if (!w->backend) {
		err = w->failure;
		ok = false;
	} else if (!calls[w->call.type]) {
		ok = malformed(&err);
	} else {
		ok = calls[w->call.type](w, &r, &err);
	}
	if (!ok) {
		str_clear(&w->answer);
		if (err.kind == ERR_NONE) err.kind = ERR_SETUP;
		put_err(&w->answer, &err);
	}
	return wire_send(w->fd, ok ? FRAME_OK : FRAME_ERR, w->call.sequence, w->answer.text, w->answer.len, NULL) ==
		   WIRE_OK;
}

static int serve(Worker *w) {
	WireStatus status;
	while ((status = wire_receive(w->fd, &w->call, NULL)) == WIRE_OK)
		if (!answer(w)) break;
	if (w->backend) w->backend->ops->close(w->backend);
	free(w->call.data);
	if (w->shared) munmap(w->shared, WIRE_PIECE);
	str_free(&w->answer);
	return status == WIRE_BROKEN ? ERR_SETUP : 0;
}

/* Dies with its parent; the parent's Ctrl-C is not for it. */
static void settle(void) {
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prctl(PR_SET_NAME, "gpulab-worker");
	signal(SIGINT, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
}

static uint8_t *map_shared(void) {
	struct stat about;
	if (fstat(WORKER_SHARED, &about) < 0 || about.st_size < WIRE_PIECE) return NULL;
	void *at = mmap(NULL, WIRE_PIECE, PROT_READ | PROT_WRITE, MAP_SHARED, WORKER_SHARED, 0);
	close(WORKER_SHARED);
	return at == MAP_FAILED ? NULL : at;
}

int worker_serve(Backend *backend, int fd) {
	settle();
	Worker w = {.backend = backend, .fd = fd, .shared = map_shared()};
	return serve(&w);
}

static bool open_named(const char *name, Backend **out, Err *err) {
	int ordinal;
	if (text_starts(name, "cuda:")) return gpu_ordinal(name, &ordinal, err) && backend_cuda_open(ordinal, out, err);
	if (strcmp(name, "emu") == 0) return backend_emu_open(gpu_default(), out, err);
	const Gpu *gpu = text_starts(name, "emu:") ? gpu_find(name + strlen("emu:"), err) : NULL;
	if (gpu) return backend_emu_open(gpu, out, err);
	if (!text_starts(name, "emu:")) err_set(err, ERR_SETUP, "a worker cannot serve \"%s\"", name);
	return false;
}

int worker_main(const char *device_name, int fd) {
	settle();
	Worker w = {.fd = fd, .failure = ERR_INIT, .shared = map_shared()};
	if (!open_named(device_name, &w.backend, &w.failure)) w.backend = NULL;
	if (w.backend && w.shared && w.backend->ops->pin) w.backend->ops->pin(w.backend, w.shared, WIRE_PIECE);
	return serve(&w);
}
