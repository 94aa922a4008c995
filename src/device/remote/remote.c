/* backend.h by a worker elsewhere: a command (ssh, srun) connects to a gateway there (gateway.h). Calls without an
 * answer are posted, so that a slow link costs one way and not two; data goes inline, and what went there before goes
 * as its hash. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/cancel.h"
#include "base/proc.h"
#include "device/backend/messages.h"
#include "device/remote/kept.h"
#include "device/remote/queue.h"
#include "device/remote/send.h"
#include "wire/child.h"
#include "wire/greeting.h"
#include "wire/pack.h"

static const double SILENCE_S = 60; /* the gateway gives a sign of life each second, unless its machine is very busy */
static const double OPEN_S = 90;    /* a driver on a machine of many GPUs takes its time */
static const double GRACE_S = 0.15; /* after a cancel, and the way there and back */

typedef struct {
	Backend base;
	Child child;
	Arena *texts; /* the place's */
	DevicePlace place;
	bool entered; /* the worker there has answered, and `info` is its own */
	bool asked;   /* `start` runs, and the greeting has not been read */
	bool heard;   /* its first line is in `line` */
	bool locked;  /* the caller measures: it has the lock there, and a worker that comes instead takes it again */
	char line[GREETING_BYTES];
	DeviceInfo info;
	double round_trip_s;
	Kept kept;
	QueueWatch watch;
	double started, shown;
} Remote;

/* --- texts -------------------------------------------------------------------------------------------------------- */

static void waiting(const char *text) {
	if (device_waiting) device_waiting(text);
}

static void show_note(void *user, const char *text, size_t len) {
	char line[240];
	snprintf(line, sizeof line, "%.*s", (int)(len < 200 ? len : 200), text ? text : "");
	waiting(line);
}

/* Each second, after the first two: most connections are there by then. */
static void show_wait(void *user) {
	Remote *r = user;
	char line[240], place[64] = "";
	const double now = seconds_now();
	queue_watch(&r->watch, r->place.queue, r->place.job);
	if (now - r->started < 2 || now - r->shown < 1) return;
	r->shown = now;
	if (r->watch.place) snprintf(place, sizeof place, "place %u of %u in the queue, ", r->watch.place, r->watch.all);
	snprintf(line, sizeof line, "waiting for %s: %s%.0f s (Ctrl-C cancels)", r->place.name, place, now - r->started);
	waiting(line);
}

/* --- starting ----------------------------------------------------------------------------------------------------- */

static bool refuse(const Remote *r, Err *err, const char *what, const char *theirs, const char *ours) {
	return err_set(err, ERR_SETUP, "gpulab at %s does not fit: its %s is %s, ours is %s", r->place.name, what,
				   *theirs ? theirs : "unknown", ours);
}

/* Two programs that would misunderstand each other. Machines of other architectures do not: what messages look like
 * there is in `wire`. */
static bool fits(const Remote *r, const Greeting *g, Err *err) {
	Greeting own;
	greeting_own(&own);
	messages_layout(own.wire, sizeof own.wire);
	backend_toolkit(own.toolkit, sizeof own.toolkit);
	if (strcmp(g->version, own.version) != 0) {
		refuse(r, err, "version", g->version, own.version);
		return err_hint(err, "install gpulab %s there, or %s here", own.version, g->version);
	}
	if (strcmp(g->toolkit, own.toolkit) != 0) {
		refuse(r, err, "CUDA runtime", g->toolkit, own.toolkit);
		return err_hint(err, "build gpulab there with CUDA %s, or gpulab here with CUDA %s", own.toolkit, g->toolkit);
	}
	if (strcmp(g->wire, own.wire) != 0) {
		refuse(r, err, "message format", g->wire, own.wire);
		return err_hint(err, "install the same build of gpulab on both sides: version %s is not enough", own.version);
	}
	return true;
}

static void take_back(Remote *r) {
	pid_t pid;
	static const int none[] = {-1, -1, -1};
	if (!r->place.cancel) return;
	const ProcStart start = {.path = r->place.cancel[0],
							 .argv = (char *const *)r->place.cancel,
							 .fds = none,
							 .nfds = 3,
							 .own_session = true,
							 .search = true};
	if (proc_start(&start, &pid, NULL)) vec_push(&r->child.dying, pid);
}

/* What to do about a command that ended by itself, by its last message: the loader's, or ssh's. */
static bool hint_of_end(const Remote *r, Err *err) {
	const char *said = r->child.death;
	if (strstr(said, "GLIBC") || strstr(said, "shared librar") || strstr(said, "Exec format"))
		return err_hint(err,
						"gpulab there was built for another system: unpack the bundle there (contrib/bundle makes it), "
						"or build gpulab there with ./bootstrap");
	if (strstr(said, "Host key") || strstr(said, "Permission denied") || strstr(said, "host key"))
		return err_hint(err, "log in there once with ssh alone: it has to work without a question (known host, key or "
							 "Kerberos)");
	return err_hint(err, "the next command tries again; `--device emu` needs no GPU");
}

/* The command ended, was ended, or said something else. */
static bool not_started(Remote *r, WireStatus status, Err *err) {
	take_back(r);
	child_bury(&r->child, status != WIRE_CLOSED);
	switch (status) {
	case WIRE_CANCELLED:
		return err_set(err, ERR_INTERRUPTED, "interrupted: the job for %s was canceled", r->place.name);
	case WIRE_TIMEOUT:
		err_set(err, ERR_SETUP, "no worker started at %s within %.0f s", r->place.name, r->place.wait_s);
		return err_hint(err, "the site file's wait= allows more; `--device emu` needs no GPU");
	case WIRE_BROKEN:
		err_set(err, ERR_SETUP, "what answers at %s is not gpulab", r->place.name);
		return err_hint(err, "is gpulab in PATH there? Try: %s ... gpulab --version", r->place.start[0]);
	default:
		err_set(err, ERR_SETUP, "no worker started at %s: %s %s", r->place.name, r->place.start[0], r->child.death);
		return hint_of_end(r, err);
	}
}

/* What this side found out is said rather than how the connection ended. */
static bool refusal(const Err *refused, Err *err) {
	if (refused->kind != ERR_NONE && err) *err = *refused;
	return false;
}

static Exchange greeting_exchange(const Remote *r, double seconds) {
	return (Exchange){
		.patience_s = seconds, .look = seconds > 0 ? show_wait : NULL, .user = (void *)r, .grace_s = 1e-3};
}

static bool ask(Remote *r, Err *err) {
	r->entered = r->heard = false;
	kept_clear(&r->kept);
	r->asked = child_start(&r->child, err);
	r->started = seconds_now();
	r->shown = 0;
	return r->asked;
}

static double greeting_seconds(const Remote *r) {
	const double left = r->place.wait_s - (seconds_now() - r->started);
	return left > 0.01 ? left : 0.01;
}

/* Waits for the line that was asked for, and for what it leads to. */
static bool greet(Remote *r, Greeting *g, Err *err) {
	const Exchange x = greeting_exchange(r, greeting_seconds(r));
	Err refused = ERR_INIT;
	WireStatus status = WIRE_OK;
	if (!r->heard) status = child_await_line(&r->child, &x, SEND_MARK, r->line, sizeof r->line);
	if (status == WIRE_OK && text_starts(r->line, SEND_WANTED))
		status = send_program(&r->child, &x, &r->place, r->line, sizeof r->line, &refused);
	waiting(NULL);
	queue_close(&r->watch);
	r->asked = r->heard = false;
	if (status != WIRE_OK) return not_started(r, status, err) || refusal(&refused, err);
	if (!greeting_get(r->line, g)) return not_started(r, WIRE_BROKEN, err);
	if (fits(r, g, err)) return true;
	child_bury(&r->child, true);
	return false;
}

static Exchange exchange_of(const Remote *r, MessageType type) {
	return (Exchange){.call = (uint16_t)type,
					  .request = messages[type].request,
					  .answer = messages[type].answer,
					  .patience_s = SILENCE_S,
					  .grace_s = GRACE_S + r->round_trip_s,
					  .note = show_note,
					  .user = (void *)r};
}

/* What was promised (the site file, an earlier time) and what is there. */
static bool as_promised(const Remote *r, const DeviceInfo *there, Err *err) {
	if (!r->place.gpu || r->info.cc == there->cc) return true;
	err_set(err, ERR_SETUP, "%s has %s, not %s as the site file says", r->place.name, there->gpu_name,
			r->place.gpu->name);
	return err_hint(err, "correct or remove gpu= in the site file");
}

static bool enter(Remote *r, const Greeting *g, Err *err) {
	DeviceInfo there;
	const Enter request = {.device = r->place.device, .warm_s = r->place.warm_s, .packs = g->packs && pack_possible()};
	Exchange x = exchange_of(r, MESSAGE_enter);
	x.patience_s = OPEN_S;
	const double begun = seconds_now();
	r->child.packs = request.packs;
	if (!child_call(&r->child, &x, &request, &there, err)) {
		child_bury(&r->child, true);
		return false;
	}
	r->round_trip_s = seconds_now() - begun < 0.5 ? seconds_now() - begun : 0.5;
	if (!as_promised(r, &there, err)) {
		child_bury(&r->child, true);
		return false;
	}
	snprintf(there.name, sizeof there.name, "%.63s", r->place.name);
	snprintf(there.place, sizeof there.place, "%s", g->host);
	r->info = there;
	r->entered = true;
	return true;
}

static bool lock_again(Remote *r, Err *err) {
	const Exchange x = exchange_of(r, MESSAGE_lock);
	const Nothing nothing = {0};
	Locked locked;
	if (!child_call(&r->child, &x, &nothing, &locked, err)) return false;
	return !*locked.without ||
		   err_set(err, ERR_SETUP, "the GPU's lock at %s cannot be taken again: %s", r->place.name, locked.without);
}

static bool start(Remote *r, Err *err) {
	Greeting g;
	const bool asked = r->asked && r->child.fd >= 0;
	return (asked || ask(r, err)) && greet(r, &g, err) && enter(r, &g, err) && (!r->locked || lock_again(r, err));
}

static bool connected(Remote *r, Err *err) {
	if (r->child.fd >= 0 && r->entered) return true;
	return start(r, err);
}

/* --- calls -------------------------------------------------------------------------------------------------------- */

static bool lost(Remote *r, WireStatus status, Err *err) {
	child_bury(&r->child, status != WIRE_CLOSED);
	if (status == WIRE_CANCELLED) return err_set(err, ERR_INTERRUPTED, "interrupted");
	if (status == WIRE_TIMEOUT)
		err_set(err, ERR_SETUP, "the connection to %s was lost: no answer for %.0f s", r->place.name, SILENCE_S);
	else if (status == WIRE_BROKEN)
		err_set(err, ERR_SETUP, "%s sent an invalid message, and the connection was closed", r->place.name);
	else
		err_set(err, ERR_SETUP, "the connection to %s was lost: %s %s", r->place.name, r->place.start[0],
				r->child.death);
	return err_hint(err, "the next command connects again");
}

static bool call(Backend *b, MessageType type, const void *request, void *answer, Err *err) {
	Remote *r = (Remote *)b;
	if (!connected(r, err)) return false;
	const Exchange x = exchange_of(r, type);
	const WireStatus status = child_exchange(&r->child, &x, request);
	return status == WIRE_OK ? child_answer(&r->child, &x, answer, err) : lost(r, status, err);
}

static bool post(Backend *b, MessageType type, const void *request, Err *err) {
	Remote *r = (Remote *)b;
	if (!connected(r, err)) return false;
	const Exchange x = exchange_of(r, type);
	const WireStatus status = child_post(&r->child, &x, request);
	return status == WIRE_OK || lost(r, status, err);
}

/* What has no answer is posted; of has_library the error is the answer. */
static bool call_or_post(Backend *b, MessageType type, const void *request, void *answer, Err *err) {
	const bool answered = messages[type].answer->nfields || type == MESSAGE_has_library;
	return answered ? call(b, type, request, answer, err) : post(b, type, request, err);
}

#define X(name, Request, Answer)                                                                                       \
	static bool call_##name(Backend *b, const Request *request, Answer *answer, Err *err) {                            \
		return call_or_post(b, MESSAGE_##name, request, answer, err);                                                  \
	}
BACKEND_PLAIN_CALLS(X)
BACKEND_MEMORY_CALLS(X)
#undef X

static bool remote_info(Backend *b, DeviceInfo *out, Err *err) {
	Remote *r = (Remote *)b;
	if (!r->place.gpu && !r->entered && !connected(r, err)) return false;
	*out = r->info;
	return true;
}

/* --- data --------------------------------------------------------------------------------------------------------- */

static bool put(Remote *r, uint64_t addr, const uint8_t *data, size_t bytes, Err *err) {
	Put request = {.addr = addr, .bytes = bytes, .data = data, .data_bytes = bytes};
	if (!connected(r, err)) return false;
	if (bytes >= PUT_KEPT_LEAST) {
		hash_of(data, bytes, request.hash);
		if (kept_find(&r->kept, request.hash, bytes))
			request.data_bytes = 0;
		else
			kept_add(&r->kept, request.hash, bytes, NULL);
	}
	return post(&r->base, MESSAGE_put, &request, err);
}

static bool remote_upload(Backend *b, const Upload *u, Err *err) {
	for (size_t done = 0, n; done < u->bytes; done += n) {
		n = u->bytes - done < PUT_BYTES ? u->bytes - done : PUT_BYTES;
		if (!put((Remote *)b, u->addr + done, (const uint8_t *)u->data + done, n, err)) return false;
	}
	return true;
}

static bool remote_download(Backend *b, const Download *d, Err *err) {
	Remote *r = (Remote *)b;
	for (size_t done = 0, n; done < d->bytes; done += n) {
		n = d->bytes - done < PUT_BYTES ? d->bytes - done : PUT_BYTES;
		const Bulk request = {d->addr + done, n, false};
		Got got;
		if (!call(b, MESSAGE_get, &request, &got, err)) return false;
		if (got.bytes != n) return lost(r, WIRE_BROKEN, err);
		memcpy((uint8_t *)d->data + done, got.data, n);
	}
	return true;
}

static bool remote_define(Backend *b, const DefineElements *request, Err *err) {
	return post(b, MESSAGE_define, request, err);
}

/* --- launches ----------------------------------------------------------------------------------------------------- */

/* The connection went during a launch: its outcome is not known. */
static void outcome_of_loss(Remote *r, const Err *why, LaunchOutcome *out) {
	const bool pressed = why->kind == ERR_INTERRUPTED;
	*out = (LaunchOutcome){.status = pressed ? LAUNCH_INTERRUPTED : LAUNCH_FAULT};
	if (pressed)
		snprintf(out->message, sizeof out->message, "Interrupted; the kernel was stopped.");
	else
		snprintf(out->message, sizeof out->message,
				 "The launch has no result: %.300s. The next command connects again.", why->what);
	snprintf(out->fault.message, sizeof out->fault.message, "%s", out->message);
}

/* A launch's request. False with *gone: the connection went after the launch had begun. Before that nothing has run,
 * and whoever asks may ask again. */
static bool launched(Remote *r, MessageType type, const void *request, void *answer, Err *gone, Err *err) {
	Exchange x = exchange_of(r, type);
	x.print = r->base.events.print;
	x.user = r->base.events.user;
	if (!connected(r, err)) return false;
	const WireStatus status = child_exchange(&r->child, &x, request);
	if (status == WIRE_OK) return child_answer(&r->child, &x, answer, err);
	return lost(r, status, status == WIRE_CLOSED && !r->child.begun ? err : gone);
}

static bool remote_submit(Backend *b, const Submission *s, Report *out, Err *err) {
	Remote *r = (Remote *)b;
	Err gone = ERR_INIT;
	if (launched(r, MESSAGE_submit, s, out, &gone, err)) {
		if (!report_answers(s, out)) return lost(r, WIRE_BROKEN, err);
		child_keep_answer(&r->child, b->arena);
		if (!out->lives) r->child.lost = true;
		return true;
	}
	if (gone.kind == ERR_NONE) return false;
	*out = (Report){0};
	outcome_of_loss(r, &gone, &out->outcome);
	return true;
}

static bool remote_pipeline(Backend *b, const BackendPipeline *pipeline, PipelineReport *out, Err *err) {
	Remote *r = (Remote *)b;
	Err gone = ERR_INIT;
	if (launched(r, MESSAGE_pipeline, pipeline, out, &gone, err)) {
		if (!out->lives) r->child.lost = true;
		return true;
	}
	if (gone.kind == ERR_NONE) return false;
	*out = (PipelineReport){.begun = true};
	outcome_of_loss(r, &gone, &out->outcome);
	return true;
}

static bool remote_alive(Backend *b) {
	Remote *r = (Remote *)b;
	return child_alive(&r->child) && r->entered && !r->child.lost;
}

/* --- the GPU's lock there ----------------------------------------------------------------------------------------- */

static bool remote_lock(Backend *b, double *waited_s, char *without, size_t size, Err *err) {
	Nothing nothing = {0};
	Locked locked;
	const bool ok = call(b, MESSAGE_lock, &nothing, &locked, err);
	waiting(NULL);
	if (!ok) return false;
	*waited_s = locked.waited_s;
	snprintf(without, size, "%s", locked.without);
	((Remote *)b)->locked = !*locked.without;
	return true;
}

static void remote_unlock(Backend *b) {
	Remote *r = (Remote *)b;
	Nothing nothing = {0};
	r->locked = false;
	if (remote_alive(b) || r->child.lost) post(b, MESSAGE_unlock, &nothing, NULL);
}

/* --- asked for, without waiting ----------------------------------------------------------------------------------- */

static bool remote_ask(Backend *b, Err *err) {
	Remote *r = (Remote *)b;
	if (r->asked || (child_alive(&r->child) && r->entered)) return true;
	return ask(r, err);
}

static bool remote_asked(Backend *b, DeviceAsked *out, Err *err) {
	Remote *r = (Remote *)b;
	*out = (DeviceAsked){.here = !r->asked && child_alive(&r->child) && r->entered};
	if (!r->asked) return true;
	const Exchange x = greeting_exchange(r, 0);
	WireStatus status = WIRE_OK;
	if (!r->heard) status = child_await_line(&r->child, &x, SEND_MARK, r->line, sizeof r->line);
	r->heard = status == WIRE_OK;
	const bool late = seconds_now() - r->started >= r->place.wait_s;
	if (status != WIRE_OK && (status != WIRE_TIMEOUT || late)) {
		r->asked = false;
		queue_close(&r->watch);
		return not_started(r, status, err);
	}
	if (!r->heard) queue_watch(&r->watch, r->place.queue, r->place.job);
	*out = (DeviceAsked){.here = r->heard,
						 .asked = !r->heard,
						 .seconds = seconds_now() - r->started,
						 .place = r->watch.place,
						 .all = r->watch.all};
	return true;
}

static void remote_take_back(Backend *b) {
	Remote *r = (Remote *)b;
	if (!r->asked) return;
	r->asked = r->heard = false;
	queue_close(&r->watch);
	take_back(r);
	child_bury(&r->child, true);
}

/* --- open, close, restart ----------------------------------------------------------------------------------------- */

static void remote_close(Backend *b) {
	Remote *r = (Remote *)b;
	remote_take_back(b);
	child_close(&r->child);
	queue_close(&r->watch);
	kept_clear(&r->kept);
	arena_free(r->texts);
	free(r);
}

static bool remote_restart(Backend *b, bool *kept, Err *err) {
	Remote *r = (Remote *)b;
	*kept = false;
	if (!child_alive(&r->child) || !r->entered) return start(r, err);
	Nothing nothing = {0};
	if (!call(b, MESSAGE_restart, &nothing, &nothing, err)) return false;
	r->child.lost = false;
	return true;
}

static const BackendOps remote_ops = {
	.name = "remote",
#define X(name, Request, Answer) .name = call_##name,
	BACKEND_PLAIN_CALLS(X) BACKEND_MEMORY_CALLS(X)
#undef X
		BACKEND_OPS(remote, close, info, submit, pipeline, define, lock, unlock, upload, download, alive, restart, ask,
					asked, take_back),
};

static const char *const *copy_words(Arena *arena, const char *const *words) {
	size_t n = 0;
	if (!words) return NULL;
	while (words[n]) n++;
	const char **out = arena_array(arena, n + 1, sizeof *out);
	for (size_t i = 0; i < n; i++) out[i] = arena_strdup(arena, words[i]);
	return out;
}

/* Of an emulator all is known; of a GPU what its generation's data says, until it answers. */
static DeviceInfo promised(const DevicePlace *place) {
	DeviceInfo info = emu_info(place->gpu);
	if (text_starts(place->device, "cuda")) {
		snprintf(info.backend, sizeof info.backend, "cuda");
		info.can = CAN_TIME | CAN_RUN_SASS;
	}
	snprintf(info.name, sizeof info.name, "%s", place->name);
	return info;
}

bool backend_remote_open(const DevicePlace *place, Backend **out, Err *err) {
	Remote *r = xcalloc(1, sizeof *r);
	r->base.ops = &remote_ops;
	r->texts = arena_new();
	r->place = *place;
	r->place.name = arena_strdup(r->texts, place->name);
	r->place.device = arena_strdup(r->texts, place->device);
	r->place.job = arena_strdup(r->texts, place->job ? place->job : "");
	r->place.start = copy_words(r->texts, place->start);
	r->place.queue = copy_words(r->texts, place->queue);
	r->place.cancel = copy_words(r->texts, place->cancel);
	r->place.pack = copy_words(r->texts, place->pack);
	child_init(&r->child, "", r->place.name, &cancel_flag);
	r->child.command = r->place.start;
	if (place->gpu) r->info = promised(place);
	if (place->gpu || start(r, err)) {
		*out = &r->base;
		return true;
	}
	remote_close(&r->base);
	return false;
}
