/* worker.h: every message becomes the call of a backend. */
#include "device/backend/worker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "device/backend/messages.h"
#include "device/backend/unavailable.h"
#include "wire/sandbox.h"
#include "wire/serve.h"

enum { LAST_WORDS_BYTES = 1 << 20 }; /* standard error is a file in memory */

static char sandbox[sizeof((DeviceInfo *)0)->sandbox]; /* which parts of it are in force */

/* --- opening ------------------------------------------------------------------------------------------------------ */

static bool enter(const SandboxPlan *plan, Err *err) {
	SandboxState state = {0};
	if (!sandbox_enter(plan, &state, err)) return false;
	sandbox_text(&state, sandbox, sizeof sandbox);
	return true;
}

/* Before a kernel is seen; an emulator starts threads only for launches. */
static bool open_emulator(Server *s, const DeviceOpen *request, Backend **out, Err *err) {
	SandboxPlan plan = sandbox_emulator_plan(request->memory_bytes);
	const bool shares = s->shared && s->shared_bytes > POOL_AT;
	plan.file_bytes = LAST_WORDS_BYTES;
	return enter(&plan, err) && backend_emu_open(request->gpu, shares ? s->shared + POOL_AT : NULL,
												 shares ? s->shared_bytes - POOL_AT : 0, out, err);
}

/* Profilers (ncu, nsys, compute-sanitizer) run in the worker and open files and sockets of their own. */
static bool for_profiler(void) {
	const char *value = getenv("GPULAB_SANDBOX");
	return value && !strcmp(value, "off");
}

/* The driver may start a program that makes the GPU's nodes: the sandbox comes after. */
static bool open_cuda(int ordinal, Backend **out, Err *err) {
	const SandboxPlan plan = sandbox_cuda_plan();
	if (!backend_cuda_open(ordinal, out, err)) return false;
	if (for_profiler()) {
		snprintf(sandbox, sizeof sandbox, "off, by GPULAB_SANDBOX");
		return true;
	}
	return enter(&plan, err);
}

static bool open_backend(Server *s, const DeviceOpen *request, Backend **out, Err *err) {
	int ordinal;
	if (request->gpu) return open_emulator(s, request, out, err);
	if (!request->name || !text_starts(request->name, "cuda:"))
		return err_set(err, ERR_SETUP, "a worker cannot serve \"%s\"", request->name ? request->name : "");
	return gpu_ordinal(request->name, &ordinal, err) && open_cuda(ordinal, out, err);
}

static void use(Server *s, Backend *b) {
	s->self = b;
	b->events = (BackendEvents){.print = serve_print, .progress = serve_progress, .user = s, .cancel = serve_cancel(s)};
	if (b->ops->pin && s->shared) b->ops->pin(b, s->shared + SHARED_DATA, WINDOW_BYTES);
}

static bool serve_open(Server *s, const void *request, void *answer, Err *err) {
	Backend *b = s->self;
	if (!b && !open_backend(s, request, &b, err)) return false;
	if (!s->self) use(s, b);
	DeviceInfo *info = answer;
	if (!b->ops->info(b, info, err)) return false;
	snprintf(info->sandbox, sizeof info->sandbox, "%s", sandbox);
	return true;
}

/* --- calls -------------------------------------------------------------------------------------------------------- */

static bool is_open(const Server *s, Err *err) {
	return s->self || err_set(err, ERR_USAGE, "no device has been opened");
}

static bool serve_upload(Server *s, const void *request, void *answer, Err *err) {
	const Bulk *bulk = request;
	if (!is_open(s, err)) return false;
	Backend *b = s->self;
	if (bulk->in_place) return b->ops->upload(b, &(Upload){bulk->addr, bulk->bytes, NULL}, err);
	if (!s->shared || bulk->bytes > WINDOW_BYTES) return err_set(err, ERR_USAGE, "it does not fit the shared window");
	return b->ops->upload(b, &(Upload){bulk->addr, bulk->bytes, s->shared + SHARED_DATA}, err);
}

static bool serve_download(Server *s, const void *request, void *answer, Err *err) {
	const Bulk *bulk = request;
	if (!is_open(s, err)) return false;
	Backend *b = s->self;
	if (!s->shared || bulk->bytes > WINDOW_BYTES) return err_set(err, ERR_USAGE, "it does not fit the shared window");
	return b->ops->download(b, &(Download){bulk->addr, bulk->bytes, s->shared + SHARED_DATA}, err);
}

#define X(name, Request, Answer)                                                                                       \
	static bool serve_##name(Server *s, const void *request, void *answer, Err *err) {                                 \
		Backend *b = s->self;                                                                                          \
		if (!is_open(s, err)) return false;                                                                            \
		b->arena = s->arena;                                                                                           \
		return b->ops->name ? b->ops->name(b, request, answer, err) : backend_lacks(#name, err);                       \
	}
BACKEND_CALLS(X)
#undef X

static bool works(const Server *s) {
	Backend *b = s->self;
	return !b || backend_alive(b);
}

void worker_calls(ServeCall calls[MESSAGES]) {
	for (int i = 0; i < MESSAGES; i++) calls[i] = (ServeCall){messages[i].request, messages[i].answer, NULL};
#define X(name, Request, Answer) calls[MESSAGE_##name].serve = serve_##name;
	BACKEND_CALLS(X)
#undef X
}

static int serve(Server *s) {
	ServeCall calls[MESSAGES];
	worker_calls(calls);
	calls[MESSAGE_open].serve = serve_open;
	calls[MESSAGE_upload].serve = serve_upload;
	calls[MESSAGE_download].serve = serve_download;
	s->works = works;
	s->calls = calls;
	s->ncalls = MESSAGES;
	const int status = serve_until_closed(s);
	Backend *b = s->self;
	if (b) b->ops->close(b); /* while its memory is there: of a launch that is being stepped, stores are taken back */
	serve_end(s);
	return status;
}

int worker_main(int fd) {
	Server server = {0};
	serve_begin(&server, fd);
	return serve(&server);
}

int worker_serve(Backend *backend, int fd) {
	Server server = {0};
	serve_begin(&server, fd);
	use(&server, backend);
	return serve(&server);
}
