/* backend.h by a worker process: every call is a frame sent and an answer awaited, with an eye on the clock and on device_cancel.
 * Whatever goes wrong on the way (no answer in time, nonsense, silence, death) ends the same: the worker is killed, `fd` is -1,
 * alive says false, and restart begins anew. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/proc.h"
#include "base/vec.h"
#include "device/wire.h"
#include "device/worker.h"

static const double START_S = 60;   /* a driver on a machine of many GPUs takes its time */
static const double CALL_S = 120;   /* allocate, copy a piece, load a module (the driver may compile it) */
static const double GRACE_S = 0.25; /* after a cancel: a short launch ends by itself, and nothing is lost */
static const double BURY_S = 0.3;   /* a killed process is usually gone by then; if not, it is waited for later */

typedef struct {
	Backend base;
	char name[64];
	int fd; /* our end of the socket; -1: no worker */
	pid_t pid;
	int errors; /* what the worker writes to its standard error */
	uint8_t *
		shared; /* WIRE_PIECE bytes for bulk data, shared with this worker alone: a dying one may still write to its own */
	uint32_t sequence;
	Frame frame;      /* the last answer */
	Str out;          /* the call under construction */
	char death[400];  /* how the last one ended */
	VEC(pid_t) dying; /* killed, not waited for yet */
} Proxy;

/* --- life and death ---------------------------------------------------------------------------------------------------- */

static const char *worker_path(void) {
	const char *path = getenv("GPULAB_WORKER");
	return path && *path ? path : "/proc/self/exe";
}

static void reap(Proxy *p, double seconds) {
	for (size_t i = 0; i < p->dying.len;)
		if (proc_wait(p->dying.data[i], seconds, NULL))
			p->dying.data[i] = p->dying.data[--p->dying.len];
		else
			i++;
}

/* The last line the worker wrote to its standard error, for the message. */
static void last_words(const Proxy *p, char *out, size_t size) {
	char tail[300];
	off_t end = lseek(p->errors, 0, SEEK_END);
	*out = '\0';
	if (end <= 0) return;
	off_t from = end > (off_t)sizeof tail - 1 ? end - ((off_t)sizeof tail - 1) : 0;
	ssize_t n = pread(p->errors, tail, sizeof tail - 1, from);
	while (n > 0 && tail[n - 1] == '\n') n--;
	if (n <= 0) return;
	tail[n] = '\0';
	char *line = strrchr(tail, '\n');
	snprintf(out, size, "; it said: %.200s", line ? line + 1 : tail);
}

/* What was kept for this worker. */
static void drop(Proxy *p) {
	if (p->shared) munmap(p->shared, WIRE_PIECE);
	if (p->errors >= 0) close(p->errors);
	p->shared = NULL;
	p->errors = -1;
}

/* killed: by us, so how it ended is no news. */
static void bury(Proxy *p, bool killed) {
	int status = 0;
	if (p->fd < 0) return;
	close(p->fd);
	p->fd = -1;
	if (killed) kill(p->pid, SIGKILL);
	bool gone = proc_wait(p->pid, BURY_S, &status);
	if (!gone) { /* not even its own doing: end it */
		kill(p->pid, SIGKILL);
		vec_push(&p->dying, p->pid);
	}
	char how[100] = "closed the connection", said[250];
	if (gone && !killed) proc_status_text(status, how, sizeof how);
	last_words(p, said, sizeof said);
	snprintf(p->death, sizeof p->death, "%s%s", killed ? "was ended" : how, said);
	drop(p);
}

/* Sealed: a worker gone mad could otherwise make it shorter under our hands. Returns the descriptor for the worker, or -1. */
static int make_shared(Proxy *p, Err *err) {
	int memory = memfd_create("bulk data", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	void *at = MAP_FAILED;
	if (memory >= 0 && ftruncate(memory, WIRE_PIECE) == 0 &&
		fcntl(memory, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0)
		at = mmap(NULL, WIRE_PIECE, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
	if (at != MAP_FAILED) {
		p->shared = at;
		return memory;
	}
	err_set(err, ERR_SETUP, "no memory to share with the worker process: %s", strerror(errno));
	if (memory >= 0) close(memory);
	return -1;
}

static bool start_worker(Proxy *p, Err *err) {
	int ends[2] = {-1, -1}, memory = make_shared(p, err);
	bool ok = memory >= 0;
	if (ok && socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0)
		ok = err_set(err, ERR_SETUP, "no socket for the worker process: %s", strerror(errno));
	p->errors = memfd_create("worker's standard error", MFD_CLOEXEC); /* without it the last words are lost, no more */
	if (ok) {
		char *argv[] = {(char *)"gpulab", (char *)"--worker", p->name, NULL};
		const int fds[] = {-1, -1, p->errors, [WORKER_FD] = ends[1], [WORKER_SHARED] = memory};
		const ProcStart start = {
			.path = worker_path(), .argv = argv, .fds = fds, .nfds = WORKER_SHARED + 1, .own_group = true};
		ok = proc_start(&start, &p->pid, err);
	}
	if (ends[1] >= 0) close(ends[1]);
	if (memory >= 0) close(memory); /* mapped */
	if (ok) {
		p->fd = ends[0];
		return true;
	}
	if (ends[0] >= 0) close(ends[0]);
	drop(p);
	return false;
}

static bool proxy_alive(Backend *b) {
	Proxy *p = (Proxy *)b;
	if (p->fd < 0) return false;
	struct pollfd hang_up = {.fd = p->fd};
	if (poll(&hang_up, 1, 0) > 0 && hang_up.revents & (POLLHUP | POLLERR)) bury(p, false);
	return p->fd >= 0;
}

/* --- calls --------------------------------------------------------------------------------------------------------------- */

typedef struct {
	FrameType type;
	WireLimit limit;
	double renewed_s; /* FRAME_SAMPLE: every sample done renews the limit by this much */
	void (*print)(void *user, const char *text, size_t len);
	void *user;
} Call;

static bool is_there(const Proxy *p, Err *err) {
	return p->fd >= 0 || err_set(err, ERR_SETUP, "the worker process for %s %s", p->name, p->death);
}

static Str *begin(Proxy *p) {
	str_clear(&p->out);
	return &p->out;
}

/* Sends what begin() gathered and waits for the answer, which is then in p->frame. */
static WireStatus exchange(Proxy *p, Call *call) {
	const uint32_t sequence = ++p->sequence;
	WireStatus status = wire_send(p->fd, call->type, sequence, p->out.text, p->out.len, &call->limit);
	while (status == WIRE_OK) {
		status = wire_receive(p->fd, &p->frame, &call->limit);
		if (status != WIRE_OK) break;
		if (p->frame.sequence != sequence) return WIRE_BROKEN;
		if (p->frame.type == FRAME_OK || p->frame.type == FRAME_ERR) return WIRE_OK;
		if (p->frame.type == FRAME_PRINT) {
			if (call->print) call->print(call->user, (const char *)p->frame.data, p->frame.len);
		} else if (p->frame.type == FRAME_SAMPLED && call->type == FRAME_SAMPLE) {
			call->limit.until = seconds_now() + call->renewed_s;
		} else {
			return WIRE_BROKEN;
		}
	}
	return status;
}

static bool lost(Proxy *p, WireStatus status, Err *err) {
	bury(p, status != WIRE_CLOSED);
	switch (status) {
	case WIRE_CANCELLED: return err_set(err, ERR_INTERRUPTED, "interrupted");
	case WIRE_TIMEOUT:
		err_set(err, ERR_SETUP, "the worker process for %s did not answer in time and was ended", p->name);
		return err_hint(err, "the next command starts a fresh one");
	case WIRE_BROKEN:
		err_set(err, ERR_SETUP, "the worker process for %s sent nonsense and was ended", p->name);
		return err_hint(err, "is GPULAB_WORKER another version of gpulab?");
	case WIRE_OK:
	case WIRE_CLOSED: break;
	}
	err_set(err, ERR_SETUP, "the worker process for %s %s", p->name, p->death);
	return err_hint(err, "the next command starts a fresh one");
}

/* The worker's own error becomes ours. */
static bool refused(Proxy *p, Err *err) {
	Err told = ERR_INIT;
	Reader r = reader_of(&p->frame);
	get_err(&r, &told);
	if (!reader_done(&r) || told.kind == ERR_NONE) return lost(p, WIRE_BROKEN, err);
	if (err) *err = told;
	return false;
}

/* A call whose answer is read by the caller: *r stands at its beginning. */
static bool ask_within(Proxy *p, FrameType type, double seconds, Reader *r, Err *err) {
	if (!is_there(p, err)) return false;
	Call call = {.type = type, .limit = {.until = seconds_now() + seconds, .cancel = &device_cancel, .grace = GRACE_S}};
	WireStatus status = exchange(p, &call);
	if (status != WIRE_OK) return lost(p, status, err);
	if (p->frame.type == FRAME_ERR) return refused(p, err);
	*r = reader_of(&p->frame);
	return true;
}

static bool ask(Proxy *p, FrameType type, Reader *r, Err *err) {
	return ask_within(p, type, CALL_S, r, err);
}

static bool answered(Proxy *p, const Reader *r, Err *err) {
	return reader_done(r) || lost(p, WIRE_BROKEN, err);
}

static bool ask_nothing(Proxy *p, FrameType type, Err *err) {
	Reader r;
	return ask(p, type, &r, err) && answered(p, &r, err);
}

/* --- the vtable ------------------------------------------------------------------------------------------------------------ */

static bool proxy_info(Backend *b, DeviceInfo *out, Err *err) {
	Proxy *p = (Proxy *)b;
	DeviceInfo info = {0};
	Reader r;
	begin(p);
	if (!ask_within(p, FRAME_INFO, START_S, &r, err)) return false;
	get_device_info(&r, &info);
	if (!answered(p, &r, err)) return false;
	*out = info;
	return true;
}

static bool proxy_alloc(Backend *b, size_t bytes, const char *name, uint64_t *addr, Err *err) {
	Proxy *p = (Proxy *)b;
	Reader r;
	Str *s = begin(p);
	put_u64(s, bytes);
	put_text(s, name);
	if (!ask(p, FRAME_ALLOC, &r, err)) return false;
	uint64_t got = get_u64(&r);
	if (!answered(p, &r, err)) return false;
	*addr = got;
	return true;
}

static bool proxy_free(Backend *b, uint64_t addr, Err *err) {
	Proxy *p = (Proxy *)b;
	put_u64(begin(p), addr);
	return ask_nothing(p, FRAME_FREE, err);
}

static bool proxy_upload(Backend *b, uint64_t addr, const void *data, size_t bytes, Err *err) {
	Proxy *p = (Proxy *)b;
	for (size_t done = 0, n; done < bytes; done += n) {
		if (!is_there(p, err)) return false;
		n = bytes - done < WIRE_PIECE ? bytes - done : WIRE_PIECE;
		Str *s = begin(p);
		put_u64(s, addr + done);
		put_u64(s, n);
		memcpy(p->shared, (const uint8_t *)data + done, n);
		if (!ask_nothing(p, FRAME_UPLOAD, err)) return false;
	}
	return true;
}

static bool proxy_download(Backend *b, uint64_t addr, void *data, size_t bytes, Err *err) {
	Proxy *p = (Proxy *)b;
	for (size_t done = 0, n; done < bytes; done += n) {
		if (!is_there(p, err)) return false;
		n = bytes - done < WIRE_PIECE ? bytes - done : WIRE_PIECE;
		Str *s = begin(p);
		put_u64(s, addr + done);
		put_u64(s, n);
		if (!ask_nothing(p, FRAME_DOWNLOAD, err)) return false;
		memcpy((uint8_t *)data + done, p->shared, n);
	}
	return true;
}

static bool proxy_fill(Backend *b, uint64_t addr, uint8_t byte, size_t bytes, Err *err) {
	Proxy *p = (Proxy *)b;
	Str *s = begin(p);
	put_u64(s, addr);
	put_u8(s, byte);
	put_u64(s, bytes);
	return ask_nothing(p, FRAME_FILL, err);
}

static bool proxy_load(Backend *b, const Compiled *compiled, uint64_t *module, Err *err) {
	Proxy *p = (Proxy *)b;
	Reader r;
	put_compiled(begin(p), compiled);
	if (!ask(p, FRAME_LOAD, &r, err)) return false;
	uint64_t got = get_u64(&r);
	if (!answered(p, &r, err)) return false;
	*module = got;
	return true;
}

static bool proxy_unload(Backend *b, uint64_t module, Err *err) {
	Proxy *p = (Proxy *)b;
	put_u64(begin(p), module);
	return ask_nothing(p, FRAME_UNLOAD, err);
}

static bool proxy_texture(Backend *b, const TextureDesc *desc, const char *name, uint64_t *number, uint64_t *object,
						  Err *err) {
	Proxy *p = (Proxy *)b;
	Reader r;
	Str *s = begin(p);
	put_texture(s, desc);
	put_text(s, name);
	if (!ask(p, FRAME_TEXTURE, &r, err)) return false;
	const uint64_t got = get_u64(&r), handle = get_u64(&r);
	if (!answered(p, &r, err)) return false;
	*number = got;
	*object = handle;
	return true;
}

static bool proxy_texture_free(Backend *b, uint64_t number, Err *err) {
	Proxy *p = (Proxy *)b;
	put_u64(begin(p), number);
	return ask_nothing(p, FRAME_TEXTURE_FREE, err);
}

static bool proxy_texture_copy(Backend *b, uint64_t number, uint64_t addr, bool into, Err *err) {
	Proxy *p = (Proxy *)b;
	Str *s = begin(p);
	put_u64(s, number);
	put_u64(s, addr);
	put_u8(s, into);
	return ask_nothing(p, FRAME_TEXTURE_COPY, err);
}

static bool proxy_symbol(Backend *b, uint64_t module, const char *name, uint64_t *addr, size_t *bytes, Err *err) {
	Proxy *p = (Proxy *)b;
	Reader r;
	Str *s = begin(p);
	put_u64(s, module);
	put_text(s, name);
	if (!ask(p, FRAME_SYMBOL, &r, err)) return false;
	const uint64_t at = get_u64(&r), size = get_u64(&r);
	if (!answered(p, &r, err)) return false;
	*addr = at;
	*bytes = size;
	return true;
}

static bool proxy_kernel_info(Backend *b, uint64_t module, const char *linked_name, KernelInfo *out, Err *err) {
	Proxy *p = (Proxy *)b;
	KernelInfo info = {0};
	Reader r;
	Str *s = begin(p);
	put_u64(s, module);
	put_text(s, linked_name);
	if (!ask(p, FRAME_KERNEL_INFO, &r, err)) return false;
	get_kernel_info(&r, &info);
	if (!answered(p, &r, err)) return false;
	*out = info;
	return true;
}

static bool proxy_occupancy(Backend *b, uint64_t module, const char *linked_name, uint32_t threads, size_t shared,
							Occupancy *out, Err *err) {
	Proxy *p = (Proxy *)b;
	Occupancy occupancy = {0};
	Reader r;
	Str *s = begin(p);
	put_u64(s, module);
	put_text(s, linked_name);
	put_u32(s, threads);
	put_u64(s, shared);
	if (!ask(p, FRAME_OCCUPANCY, &r, err)) return false;
	get_occupancy(&r, &occupancy);
	if (!answered(p, &r, err)) return false;
	*out = occupancy;
	return true;
}

/* --- launches -------------------------------------------------------------------------------------------------------------- */

/* The worker is gone, or had to go: that is what came of the launch. */
static void outcome_of_loss(Proxy *p, WireStatus status, double timeout_ms, LaunchOutcome *out) {
	*out = (LaunchOutcome){.status = LAUNCH_FAULT};
	bury(p, status != WIRE_CLOSED);
	switch (status) {
	case WIRE_TIMEOUT:
		out->status = LAUNCH_TIMEOUT;
		snprintf(out->message, sizeof out->message,
				 "The kernel was still running after its limit of %.3g s and was stopped. Does a loop never end? "
				 "A launch may ask for more time: timeout, in ms.",
				 timeout_ms / 1000.0);
		return;
	case WIRE_CANCELLED:
		out->status = LAUNCH_INTERRUPTED;
		snprintf(out->message, sizeof out->message, "Interrupted; the kernel was stopped.");
		return;
	case WIRE_BROKEN:
		snprintf(out->message, sizeof out->message,
				 "The worker process sent nonsense during the launch and was ended.");
		break;
	case WIRE_OK:
	case WIRE_CLOSED:
		snprintf(out->message, sizeof out->message,
				 "The worker process %s during the launch. The next command starts a fresh one.", p->death);
	}
	snprintf(out->fault.message, sizeof out->fault.message, "%s", out->message);
}

/* timeout_ms: what was given to the kernels, for the message. */
static bool run(Proxy *p, Call *call, double timeout_ms, Sample *samples, uint32_t count, LaunchOutcome *out,
				Err *err) {
	LaunchOutcome outcome = {0};
	if (!is_there(p, err)) return false;
	WireStatus status = exchange(p, call);
	if (status != WIRE_OK) {
		outcome_of_loss(p, status, timeout_ms, out);
		return true;
	}
	if (p->frame.type == FRAME_ERR) return refused(p, err);

	Reader r = reader_of(&p->frame);
	get_outcome(&r, &outcome);
	bool lives = get_bool(&r);
	for (uint32_t i = 0; i < count && !r.bad; i++) {
		samples[i].milliseconds = get_f64(&r);
		samples[i].clock_ghz = get_f64(&r);
		samples[i].overhead_ms = get_f64(&r);
		samples[i].launch_ms = get_f64(&r);
		samples[i].temperature = get_f64(&r);
		samples[i].as_graph = get_bool(&r);
	}
	if (!reader_done(&r)) {
		outcome_of_loss(p, WIRE_BROKEN, 0, out);
		return true;
	}
	if (!lives) bury(p, true);
	*out = outcome;
	return true;
}

static bool proxy_launch(Backend *b, const BackendLaunch *launch, LaunchOutcome *out, Err *err) {
	Proxy *p = (Proxy *)b;
	put_launch(begin(p), launch);
	Call call = {.type = FRAME_LAUNCH,
				 .print = launch->print,
				 .user = launch->user,
				 .limit = {.until = seconds_now() + launch->config.timeout_ms / 1000.0,
						   .cancel = &device_cancel,
						   .grace = GRACE_S}};
	return run(p, &call, launch->config.timeout_ms, NULL, 0, out, err);
}

static double limit_of(const BackendItem *items, uint32_t nitems) {
	double ms = 0;
	for (uint32_t i = 0; i < nitems; i++)
		ms += items[i].call.routine == LIBRARY_NONE ? items[i].launch.config.timeout_ms : items[i].call.timeout_ms;
	return ms;
}

/* The first sample may have to make ready: scratch memory, the clock's kernel. */
static bool proxy_sample(Backend *b, const BackendItem *items, uint32_t nitems, const SampleConfig *config,
						 Sample *samples, LaunchOutcome *out, Err *err) {
	Proxy *p = (Proxy *)b;
	const double ms = limit_of(items, nitems), each = ms / 1000.0, ready = 5;
	Str *s = begin(p);
	put_work(s, items, nitems);
	put_u32(s, config->count);
	put_u8(s, config->flush_l2);
	put_u32(s, config->batch);
	put_u8(s, config->graph);
	Call call = {.type = FRAME_SAMPLE,
				 .renewed_s = each,
				 .limit = {.until = seconds_now() + each + ready, .cancel = &device_cancel, .grace = GRACE_S}};
	for (uint32_t i = 0; i < nitems && !call.print; i++) {
		call.print = items[i].launch.print;
		call.user = items[i].launch.user;
	}
	return run(p, &call, ms, samples, config->count, out, err);
}

/* --- library routines -------------------------------------------------------------------------------------------------------- */

static bool proxy_has_library(Backend *b, LibraryRoutine routine, Err *err) {
	Proxy *p = (Proxy *)b;
	put_u32(begin(p), routine);
	return ask_nothing(p, FRAME_HAS_LIBRARY, err);
}

static bool proxy_library(Backend *b, const BackendCall *call, LaunchOutcome *out, Err *err) {
	Proxy *p = (Proxy *)b;
	put_call(begin(p), call);
	Call exchange_ = {
		.type = FRAME_LIBRARY,
		.limit = {.until = seconds_now() + call->timeout_ms / 1000.0, .cancel = &device_cancel, .grace = GRACE_S}};
	return run(p, &exchange_, call->timeout_ms, NULL, 0, out, err);
}

/* --- transfers --------------------------------------------------------------------------------------------------------------- */

static bool proxy_alloc_mapped(Backend *b, size_t bytes, const char *name, uint64_t *addr, Err *err) {
	Proxy *p = (Proxy *)b;
	Reader r;
	Str *s = begin(p);
	put_u64(s, bytes);
	put_text(s, name);
	if (!ask(p, FRAME_ALLOC_MAPPED, &r, err)) return false;
	uint64_t got = get_u64(&r);
	if (!answered(p, &r, err)) return false;
	*addr = got;
	return true;
}

static bool proxy_copy(Backend *b, const Copy *copy, uint32_t count, CopyTimes *out, Err *err) {
	Proxy *p = (Proxy *)b;
	CopyTimes times = {0};
	Reader r;
	put_copy(begin(p), copy, count);
	if (!ask(p, FRAME_COPY, &r, err)) return false;
	get_copy_times(&r, &times, count);
	if (!answered(p, &r, err)) return false;
	*out = times;
	return true;
}

/* The kernels have a launch's time each; copies and page-locked memory need some, too. */
static bool proxy_pipeline(Backend *b, const BackendPipeline *pipeline, PipelineTimes *out, LaunchOutcome *outcome,
						   Err *err) {
	Proxy *p = (Proxy *)b;
	const double each = pipeline->launches[0].config.timeout_ms, copies = 20;
	if (!is_there(p, err)) return false;
	put_pipeline(begin(p), pipeline);
	Call call = {.type = FRAME_PIPELINE,
				 .print = pipeline->launches[0].print,
				 .user = pipeline->launches[0].user,
				 .limit = {.until = seconds_now() + each / 1000 + copies, .cancel = &device_cancel, .grace = GRACE_S}};
	const WireStatus status = exchange(p, &call);
	if (status != WIRE_OK) {
		outcome_of_loss(p, status, pipeline->launches[0].config.timeout_ms, outcome);
		return true;
	}
	if (p->frame.type == FRAME_ERR) return refused(p, err);
	LaunchOutcome ended = {0};
	Reader r = reader_of(&p->frame);
	get_outcome(&r, &ended);
	const bool lives = get_bool(&r);
	get_pipeline_times(&r, &pipeline->shape, out);
	if (!reader_done(&r)) return lost(p, WIRE_BROKEN, err);
	if (!lives) bury(p, true);
	*outcome = ended;
	return true;
}

/* --- open, close, restart ---------------------------------------------------------------------------------------------------- */

static void proxy_close(Backend *b) {
	Proxy *p = (Proxy *)b;
	bury(p, true);
	reap(p, 2);
	vec_free(&p->dying);
	str_free(&p->out);
	free(p->frame.data);
	free(p);
}

static bool proxy_restart(Backend *b, Err *err) {
	Proxy *p = (Proxy *)b;
	DeviceInfo info;
	bury(p, true);
	reap(p, 0);
	return start_worker(p, err) && proxy_info(b, &info, err);
}

static const BackendOps proxy_ops = {.name = "proxy",
									 .close = proxy_close,
									 .info = proxy_info,
									 .alloc = proxy_alloc,
									 .free = proxy_free,
									 .upload = proxy_upload,
									 .download = proxy_download,
									 .fill = proxy_fill,
									 .texture = proxy_texture,
									 .texture_free = proxy_texture_free,
									 .texture_copy = proxy_texture_copy,
									 .load = proxy_load,
									 .unload = proxy_unload,
									 .symbol = proxy_symbol,
									 .kernel_info = proxy_kernel_info,
									 .occupancy = proxy_occupancy,
									 .launch = proxy_launch,
									 .sample = proxy_sample,
									 .has_library = proxy_has_library,
									 .library = proxy_library,
									 .alloc_mapped = proxy_alloc_mapped,
									 .copy = proxy_copy,
									 .pipeline = proxy_pipeline,
									 .alive = proxy_alive,
									 .restart = proxy_restart};

bool backend_proxy_open(const char *name, Backend **out, Err *err) {
	Proxy *p = xcalloc(1, sizeof *p);
	p->base.ops = &proxy_ops;
	p->fd = p->errors = -1;
	snprintf(p->name, sizeof p->name, "%s", name);
	if (!start_worker(p, err)) {
		proxy_close(&p->base);
		return false;
	}
	*out = &p->base;
	return true;
}
