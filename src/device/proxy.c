/* proxy.h: the functions of backend.h, each a call or two. */
#include "device/proxy.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/proc.h"

static const double START_S = 60; /* a driver on a machine of many GPUs takes its time */

/* --- the vtable ------------------------------------------------------------------------------------------------------------ */

static bool proxy_info(Backend *b, DeviceInfo *out, Err *err) {
	Proxy *p = (Proxy *)b;
	DeviceInfo info = {0};
	Reader r;
	proxy_begin(p);
	if (!proxy_ask_within(p, FRAME_INFO, START_S, &r, err)) return false;
	get_device_info(&r, &info);
	if (!proxy_answered(p, &r, err)) return false;
	*out = info;
	return true;
}

static bool ask_for_memory(Proxy *p, FrameType type, size_t bytes, const char *name, uint64_t *addr, Err *err) {
	Str *s = proxy_begin(p);
	put_u64(s, bytes);
	put_text(s, name);
	return proxy_ask_numbers(p, type, addr, 1, err);
}

static bool proxy_alloc(Backend *b, size_t bytes, const char *name, uint64_t *addr, Err *err) {
	return ask_for_memory((Proxy *)b, FRAME_ALLOC, bytes, name, addr, err);
}

static bool proxy_alloc_mapped(Backend *b, size_t bytes, const char *name, uint64_t *addr, Err *err) {
	return ask_for_memory((Proxy *)b, FRAME_ALLOC_MAPPED, bytes, name, addr, err);
}

static bool proxy_free(Backend *b, uint64_t addr, Err *err) {
	Proxy *p = (Proxy *)b;
	put_u64(proxy_begin(p), addr);
	return proxy_ask_nothing(p, FRAME_FREE, err);
}

static bool proxy_upload(Backend *b, uint64_t addr, const void *data, size_t bytes, Err *err) {
	Proxy *p = (Proxy *)b;
	for (size_t done = 0, n; done < bytes; done += n) {
		if (!proxy_is_there(p, err)) return false;
		n = bytes - done < WIRE_PIECE ? bytes - done : WIRE_PIECE;
		Str *s = proxy_begin(p);
		put_u64(s, addr + done);
		put_u64(s, n);
		memcpy(p->shared, (const uint8_t *)data + done, n);
		if (!proxy_ask_nothing(p, FRAME_UPLOAD, err)) return false;
	}
	return true;
}

static bool proxy_download(Backend *b, uint64_t addr, void *data, size_t bytes, Err *err) {
	Proxy *p = (Proxy *)b;
	for (size_t done = 0, n; done < bytes; done += n) {
		if (!proxy_is_there(p, err)) return false;
		n = bytes - done < WIRE_PIECE ? bytes - done : WIRE_PIECE;
		Str *s = proxy_begin(p);
		put_u64(s, addr + done);
		put_u64(s, n);
		if (!proxy_ask_nothing(p, FRAME_DOWNLOAD, err)) return false;
		memcpy((uint8_t *)data + done, p->shared, n);
	}
	return true;
}

static const uint8_t *proxy_look(Backend *b, uint64_t addr, size_t bytes, Err *err) {
	Proxy *p = (Proxy *)b;
	if (!proxy_is_there(p, err)) return NULL;
	Str *s = proxy_begin(p);
	put_u64(s, addr);
	put_u64(s, bytes);
	return proxy_ask_nothing(p, FRAME_DOWNLOAD, err) ? p->shared : NULL;
}

static bool proxy_fill(Backend *b, uint64_t addr, uint8_t byte, size_t bytes, Err *err) {
	Proxy *p = (Proxy *)b;
	Str *s = proxy_begin(p);
	put_u64(s, addr);
	put_u8(s, byte);
	put_u64(s, bytes);
	return proxy_ask_nothing(p, FRAME_FILL, err);
}

static bool proxy_load(Backend *b, const Compiled *compiled, uint64_t *module, Err *err) {
	Proxy *p = (Proxy *)b;
	put_compiled(proxy_begin(p), compiled);
	return proxy_ask_numbers(p, FRAME_LOAD, module, 1, err);
}

static bool proxy_unload(Backend *b, uint64_t module, Err *err) {
	Proxy *p = (Proxy *)b;
	put_u64(proxy_begin(p), module);
	return proxy_ask_nothing(p, FRAME_UNLOAD, err);
}

static bool proxy_texture(Backend *b, const TextureDesc *desc, const char *name, uint64_t *number, uint64_t *object,
						  Err *err) {
	Proxy *p = (Proxy *)b;
	uint64_t made[2];
	Str *s = proxy_begin(p);
	put_texture(s, desc);
	put_text(s, name);
	if (!proxy_ask_numbers(p, FRAME_TEXTURE, made, 2, err)) return false;
	*number = made[0];
	*object = made[1];
	return true;
}

static bool proxy_texture_free(Backend *b, uint64_t number, Err *err) {
	Proxy *p = (Proxy *)b;
	put_u64(proxy_begin(p), number);
	return proxy_ask_nothing(p, FRAME_TEXTURE_FREE, err);
}

static bool proxy_texture_copy(Backend *b, uint64_t number, uint64_t addr, bool into, Err *err) {
	Proxy *p = (Proxy *)b;
	Str *s = proxy_begin(p);
	put_u64(s, number);
	put_u64(s, addr);
	put_u8(s, into);
	return proxy_ask_nothing(p, FRAME_TEXTURE_COPY, err);
}

static bool proxy_symbol(Backend *b, uint64_t module, const char *name, uint64_t *addr, size_t *bytes, Err *err) {
	Proxy *p = (Proxy *)b;
	uint64_t found[2];
	Str *s = proxy_begin(p);
	put_u64(s, module);
	put_text(s, name);
	if (!proxy_ask_numbers(p, FRAME_SYMBOL, found, 2, err)) return false;
	*addr = found[0];
	*bytes = found[1];
	return true;
}

static bool proxy_kernel_info(Backend *b, uint64_t module, const char *linked_name, KernelInfo *out, Err *err) {
	Proxy *p = (Proxy *)b;
	KernelInfo info = {0};
	Reader r;
	Str *s = proxy_begin(p);
	put_u64(s, module);
	put_text(s, linked_name);
	if (!proxy_ask(p, FRAME_KERNEL_INFO, &r, err)) return false;
	get_kernel_info(&r, &info);
	if (!proxy_answered(p, &r, err)) return false;
	*out = info;
	return true;
}

static bool proxy_occupancy(Backend *b, uint64_t module, const char *linked_name, uint32_t threads, size_t shared,
							Occupancy *out, Err *err) {
	Proxy *p = (Proxy *)b;
	Occupancy occupancy = {0};
	Reader r;
	Str *s = proxy_begin(p);
	put_u64(s, module);
	put_text(s, linked_name);
	put_u32(s, threads);
	put_u64(s, shared);
	if (!proxy_ask(p, FRAME_OCCUPANCY, &r, err)) return false;
	get_occupancy(&r, &occupancy);
	if (!proxy_answered(p, &r, err)) return false;
	*out = occupancy;
	return true;
}

/* --- launches -------------------------------------------------------------------------------------------------------------- */

/* The worker is gone, or had to go: that is what came of the launch. */
static void outcome_of_loss(Proxy *p, WireStatus status, double timeout_ms, LaunchOutcome *out) {
	*out = (LaunchOutcome){.status = LAUNCH_FAULT};
	proxy_bury(p, status != WIRE_CLOSED);
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
static bool run(Proxy *p, ProxyCall *call, double timeout_ms, Sample *samples, uint32_t count, LaunchOutcome *out,
				Err *err) {
	LaunchOutcome outcome = {0};
	if (!proxy_is_there(p, err)) return false;
	WireStatus status = proxy_exchange(p, call);
	if (status != WIRE_OK) {
		outcome_of_loss(p, status, timeout_ms, out);
		return true;
	}
	if (p->frame.type == FRAME_ERR) return proxy_refused(p, err);

	Reader r = reader_of(&p->frame);
	get_outcome(&r, &outcome);
	bool lives = get_bool(&r);
	for (uint32_t i = 0; i < count && !r.bad; i++) get_sample(&r, &samples[i]);
	if (!reader_done(&r)) {
		outcome_of_loss(p, WIRE_BROKEN, 0, out);
		return true;
	}
	if (!lives) proxy_bury(p, true);
	*out = outcome;
	return true;
}

static bool proxy_launch(Backend *b, const BackendLaunch *launch, LaunchOutcome *out, Err *err) {
	Proxy *p = (Proxy *)b;
	put_launch(proxy_begin(p), launch);
	ProxyCall call = {.type = FRAME_LAUNCH,
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
	Str *s = proxy_begin(p);
	put_work(s, items, nitems);
	put_u32(s, config->count);
	put_u8(s, config->flush_l2);
	put_u32(s, config->batch);
	put_u8(s, config->graph);
	ProxyCall call = {.type = FRAME_SAMPLE,
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
	put_u32(proxy_begin(p), routine);
	return proxy_ask_nothing(p, FRAME_HAS_LIBRARY, err);
}

static bool proxy_library(Backend *b, const BackendCall *call, LaunchOutcome *out, Err *err) {
	Proxy *p = (Proxy *)b;
	put_call(proxy_begin(p), call);
	ProxyCall asked = {
		.type = FRAME_LIBRARY,
		.limit = {.until = seconds_now() + call->timeout_ms / 1000.0, .cancel = &device_cancel, .grace = GRACE_S}};
	return run(p, &asked, call->timeout_ms, NULL, 0, out, err);
}

/* --- transfers --------------------------------------------------------------------------------------------------------------- */

static bool proxy_copy(Backend *b, const Copy *copy, uint32_t count, CopyTimes *out, Err *err) {
	Proxy *p = (Proxy *)b;
	CopyTimes times = {0};
	Reader r;
	put_copy(proxy_begin(p), copy, count);
	if (!proxy_ask(p, FRAME_COPY, &r, err)) return false;
	get_copy_times(&r, &times, count);
	if (!proxy_answered(p, &r, err)) return false;
	*out = times;
	return true;
}

/* The kernels of all chunks have one launch's time together; copies and page-locked memory need some, too. */
static bool proxy_pipeline(Backend *b, const BackendPipeline *pipeline, PipelineTimes *out, LaunchOutcome *outcome,
						   bool *begun, Err *err) {
	Proxy *p = (Proxy *)b;
	const double kernels = pipeline->launches[0].config.timeout_ms, copies = 20;
	if (!proxy_is_there(p, err)) return false;
	put_pipeline(proxy_begin(p), pipeline);
	ProxyCall call = {
		.type = FRAME_PIPELINE,
		.print = pipeline->launches[0].print,
		.user = pipeline->launches[0].user,
		.limit = {.until = seconds_now() + kernels / 1000 + copies, .cancel = &device_cancel, .grace = GRACE_S}};
	const WireStatus status = proxy_exchange(p, &call);
	if (status != WIRE_OK) {
		outcome_of_loss(p, status, kernels, outcome);
		return true;
	}
	if (p->frame.type == FRAME_ERR) return proxy_refused(p, err);
	LaunchOutcome ended = {0};
	Err told = ERR_INIT;
	Reader r = reader_of(&p->frame);
	const bool done = get_bool(&r), began = get_bool(&r), lives = get_bool(&r);
	if (done) {
		get_outcome(&r, &ended);
		get_pipeline_times(&r, &pipeline->shape, out);
	} else {
		get_err(&r, &told);
	}
	if (!reader_done(&r) || (!done && told.kind == ERR_NONE)) return proxy_lost(p, WIRE_BROKEN, err);
	if (!lives) proxy_bury(p, true);
	*begun = began;
	if (done)
		*outcome = ended;
	else
		*err = told;
	return done;
}

/* --- open, close, restart ---------------------------------------------------------------------------------------------------- */

static void proxy_close(Backend *b) {
	Proxy *p = (Proxy *)b;
	proxy_bury(p, true);
	proxy_reap(p, 2);
	vec_free(&p->dying);
	str_free(&p->out);
	free(p->frame.data);
	free(p);
}

static bool proxy_alive(Backend *b) {
	Proxy *p = (Proxy *)b;
	if (p->fd < 0) return false;
	struct pollfd hang_up = {.fd = p->fd};
	if (poll(&hang_up, 1, 0) > 0 && hang_up.revents & (POLLHUP | POLLERR)) proxy_bury(p, false);
	return p->fd >= 0;
}

static bool proxy_restart(Backend *b, Err *err) {
	Proxy *p = (Proxy *)b;
	DeviceInfo info;
	proxy_bury(p, true);
	proxy_reap(p, 0);
	return proxy_start(p, err) && proxy_info(b, &info, err);
}

static const BackendOps proxy_ops = {.name = "proxy",
									 .close = proxy_close,
									 .info = proxy_info,
									 .alloc = proxy_alloc,
									 .free = proxy_free,
									 .upload = proxy_upload,
									 .download = proxy_download,
									 .look = proxy_look,
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
	if (!proxy_start(p, err)) {
		proxy_close(&p->base);
		return false;
	}
	*out = &p->base;
	return true;
}
