/* gateway.h */
#include "device/remote/gateway.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/cancel.h"
#include "base/proc.h"
#include "base/str.h"
#include "device/backend/define.h"
#include "device/backend/gpu_lock.h"
#include "device/backend/worker.h"
#include "device/remote/kept.h"
#include "wire/greeting.h"
#include "wire/pack.h"

static const double ALIVE_S = 1, FIRST_CALL_S = 60;

/* server.self is the backend. */
typedef struct {
	Server server; /* the first member: handlers get it */
	int in;
	double warm_s, last_sign;
	Frame ahead; /* a call that came during another */
	bool has_ahead, serving, closed;
	Kept kept;
	char *device; /* as it was asked for */
	char bus[24]; /* the GPU's */
	GpuLock lock; /* held while the caller measures */
} Gateway;

/* --- while a call takes its time ---------------------------------------------------------------------------------- */

static bool readable(int fd, double seconds) {
	struct pollfd p = {.fd = fd, .events = POLLIN};
	int n;
	const double until = seconds_now() + seconds;
	do {
		const double left = until - seconds_now();
		n = poll(&p, 1, left > 0 ? (int)(left * 1000) + 1 : 0);
	} while (n < 0 && errno == EINTR);
	return n > 0;
}

static void other_end_gone(Gateway *g) {
	g->closed = true;
	atomic_store(&cancel_flag, true);
}

static void read_ahead(Gateway *g) {
	g->ahead.packs = g->server.packs;
	if (frame_receive(g->in, &g->ahead, NULL) != WIRE_OK)
		other_end_gone(g);
	else if (g->ahead.type != FRAME_CANCEL)
		g->has_ahead = true;
	else if (g->serving && g->ahead.sequence == g->server.frame.sequence)
		atomic_store(&cancel_flag, true);
}

static void look(void *user) {
	Gateway *g = user;
	while (!g->closed && !g->has_ahead && readable(g->in, 0)) read_ahead(g);
	if (g->serving && !g->server.frame.posted && seconds_now() - g->last_sign > ALIVE_S) {
		g->last_sign = seconds_now();
		serve_progress(&g->server);
	}
}

/* --- calls -------------------------------------------------------------------------------------------------------- */

static bool open_device(Gateway *g, const char *name, DeviceInfo *info, Err *err) {
	Backend *b;
	const Gpu *gpu;
	if (!backend_named_open(name, &b, &gpu, err)) return false;
	b->events = (BackendEvents){.print = serve_print, .look = look, .user = g};
	if (!b->ops->info(b, info, err)) {
		b->ops->close(b);
		return false;
	}
	snprintf(g->bus, sizeof g->bus, "%s", info->bus);
	g->server.self = b;
	return true;
}

static bool serve_enter(Server *s, const void *request, void *answer, Err *err) {
	Gateway *g = (Gateway *)s;
	const Enter *e = request;
	if (g->device) return err_set(err, ERR_USAGE, "a device has been opened already");
	g->warm_s = e->warm_s;
	s->packs = e->packs && pack_possible();
	if (!open_device(g, e->device, answer, err)) return false;
	g->device = xstrdup(e->device);
	return true;
}

static bool is_open(const Server *s, Err *err) {
	return s->self || err_set(err, ERR_USAGE, "no device has been opened");
}

static bool serve_put(Server *s, const void *request, void *answer, Err *err) {
	Gateway *g = (Gateway *)s;
	const Put *p = request;
	const void *data = p->data;
	uint8_t hash[HASH_BYTES];
	if (!is_open(s, err)) return false;
	const KeptItem *known = p->data_bytes ? NULL : kept_find(&g->kept, p->hash, p->bytes);
	if (!p->data_bytes && p->bytes && !known) return err_set(err, ERR_USAGE, "contents that were not sent");
	if (known) data = known->data;
	if (p->data_bytes && kept_is(p->hash)) {
		hash_of(p->data, p->data_bytes, hash);
		if (memcmp(hash, p->hash, HASH_BYTES) != 0) return err_set(err, ERR_SETUP, "contents arrived damaged");
		kept_add(&g->kept, hash, p->data_bytes, p->data);
	}
	return backend_upload(s->self, p->addr, data, p->bytes, err);
}

static bool serve_get(Server *s, const void *request, void *answer, Err *err) {
	const Bulk *bulk = request;
	Got *got = answer;
	if (!is_open(s, err)) return false;
	if (bulk->bytes > PUT_BYTES) return err_set(err, ERR_USAGE, "more at once than is allowed");
	void *data = arena_alloc(s->arena, bulk->bytes ? bulk->bytes : 1);
	if (!backend_download(s->self, bulk->addr, data, bulk->bytes, err)) return false;
	*got = (Got){data, bulk->bytes};
	return true;
}

static bool serve_define(Server *s, const void *request, void *answer, Err *err) {
	return is_open(s, err) && define_fill(s->self, request, err);
}

/* Opened again, not restarted: the caller forgets its addresses, and a backend that keeps the memory of a dead worker
 * would take new addresses for the old. */
static bool serve_restart(Server *s, const void *request, void *answer, Err *err) {
	Gateway *g = (Gateway *)s;
	DeviceInfo info;
	Backend *b = s->self;
	if (!g->device) return err_set(err, ERR_USAGE, "no device has been opened");
	s->self = NULL;
	if (b) b->ops->close(b);
	return open_device(g, g->device, &info, err);
}

static bool serve_lock(Server *s, const void *request, void *answer, Err *err) {
	Gateway *g = (Gateway *)s;
	Locked *out = answer;
	const LockWait wait = {.waiting = serve_note, .look = look, .user = g};
	gpu_lock_release(&g->lock);
	if (!gpu_lock_take(g->bus, &wait, &g->lock)) return err_set(err, ERR_INTERRUPTED, "interrupted");
	out->waited_s = g->lock.waited_s;
	snprintf(out->without, sizeof out->without, "%s", g->lock.without);
	return true;
}

static bool serve_unlock(Server *s, const void *request, void *answer, Err *err) {
	gpu_lock_release(&((Gateway *)s)->lock);
	return true;
}

static bool works(const Server *s) {
	Backend *b = s->self;
	return b ? backend_alive(b) : !((const Gateway *)s)->device;
}

static bool needs_backend(const Gateway *g) {
	switch (g->server.frame.type - FRAME_CALLS) {
	case MESSAGE_enter:
	case MESSAGE_restart:
	case MESSAGE_lock:
	case MESSAGE_unlock: return false;
	default: return g->device;
	}
}

/* One that died while nothing was asked has run nothing of this call, so the other end may ask again: FRAME_LOST, and
 * not the outcome of a launch. */
static void find_dead(Gateway *g) {
	if (!needs_backend(g) || works(&g->server) || g->server.posted.kind != ERR_NONE) return;
	err_set(&g->server.posted, ERR_SETUP, "the worker process there had ended");
}

/* A launch that the other end knows nothing of when the connection goes has not begun, and it asks again. */
static void tell_that_it_begins(Gateway *g) {
	const int call = g->server.frame.type - FRAME_CALLS;
	if (call == MESSAGE_submit || call == MESSAGE_pipeline) serve_progress(&g->server);
}

/* --- the whole ---------------------------------------------------------------------------------------------------- */

static void greet(int out) {
	Greeting own;
	Str line = {0};
	greeting_own(&own);
	messages_layout(own.wire, sizeof own.wire);
	backend_toolkit(own.toolkit, sizeof own.toolkit);
	greeting_put(&line, &own);
	const ssize_t n = write(out, line.text, line.len);
	str_free(&line);
	if (n <= 0) _exit(ERR_SETUP);
}

/* False: the other end is gone, or has been silent for long. */
static bool next_call(Gateway *g) {
	Frame *frame = &g->server.frame;
	while (!g->closed && !g->has_ahead) {
		if (!readable(g->in, g->server.self ? g->warm_s : FIRST_CALL_S)) {
			fprintf(stderr, "released after %.0f s without work\n", g->warm_s);
			return false;
		}
		read_ahead(g);
	}
	if (g->closed) return false;
	const Frame other = *frame;
	*frame = g->ahead;
	g->ahead = other;
	g->has_ahead = false;
	return true;
}

/* A batch system ends jobs with these: time limit, preemption, cancel. */
static void ended_from_outside(int sig) {
	static const char text[] = "ended by the system that started it: a time limit, preemption, or a canceled job\n";
	(void)!write(STDERR_FILENO, text, sizeof text - 1);
	_exit(128 + sig);
}

static void ready(Gateway *g) {
	prctl(PR_SET_NAME, "gpulab-gateway");
	signal(SIGINT, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
	signal(SIGTERM, ended_from_outside);
	signal(SIGHUP, ended_from_outside);
	g->in = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 10);
	g->server.fd = g->in;
	g->server.fd_out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 10);
	if (g->in < 0 || g->server.fd_out < 0) _exit(ERR_SETUP);
	/* Nothing else may write among the frames. */
	const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	dup2(null, STDIN_FILENO);
	dup2(null, STDOUT_FILENO);
}

int gateway_main(void) {
	Gateway g = {.lock.fd = -1};
	ServeCall calls[MESSAGES];
	worker_calls(calls);
	calls[MESSAGE_enter].serve = serve_enter;
	calls[MESSAGE_put].serve = serve_put;
	calls[MESSAGE_get].serve = serve_get;
	calls[MESSAGE_define].serve = serve_define;
	calls[MESSAGE_restart].serve = serve_restart;
	calls[MESSAGE_lock].serve = serve_lock;
	calls[MESSAGE_unlock].serve = serve_unlock;
	g.server.calls = calls;
	g.server.ncalls = MESSAGES;
	g.server.works = works;
	g.server.broken = FRAME_LOST;
	ready(&g);
	greet(g.server.fd_out);
	bool ok = true;
	while (ok && next_call(&g)) {
		atomic_store(&cancel_flag, false);
		g.serving = true;
		g.last_sign = seconds_now();
		find_dead(&g);
		tell_that_it_begins(&g);
		ok = serve_frame(&g.server);
		g.serving = false;
	}
	Backend *b = g.server.self;
	if (b) b->ops->close(b);
	gpu_lock_release(&g.lock);
	free(g.device);
	kept_clear(&g.kept);
	frame_free(&g.ahead);
	serve_end(&g.server);
	return 0;
}
