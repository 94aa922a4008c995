/* session.h: serves a process's calls with an emulator's worker. Everything the process sends is checked: records when
 * they are read, handles and addresses here or in the worker. */
#include "exec/session.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cancel.h"
#include "base/hash.h"
#include "base/limits.h"
#include "base/ordered.h"
#include "base/proc.h"
#include "base/text/mangled.h"
#include "base/vec.h"
#include "device/ask/orders.h"
#include "device/backend/backend.h"
#include "exec/calls.h"
#include "exec/held.h"
#include "exec/host_pointer.h"
#include "exec/kept.h"
#include "exec/modules.h"
#include "exec/unordered.h"
#include "wire/serve.h"

struct Session {
	const ExecOptions *options;
	ExecResult *result;
	Backend *backend;
	BackendPool pool;
	HeldMap held, variables; /* allocations; variables that the program has asked for */
	Modules modules;
	VEC(uint64_t) surfaces; /* their numbers: put back, too */
	Unordered unordered;
	Str printed; /* by the launch in progress, where launches are kept: the beginning */
	Server server;
	pid_t process;
	bool gone; /* the process, during a call */
};

static bool tell(const Session *s, ExecEvent event, const void *what) {
	return s->options->event(s->options->user, event, what);
}

/* A call that another function answers. */
#define SERVE(name, Request, Answer, ...)                                                                              \
	static bool serve_##name(Session *s, const Request *r, Answer *out, Err *err) {                                    \
		return __VA_ARGS__;                                                                                            \
	}

/* --- the device --------------------------------------------------------------------------------------------------- */

static bool tracks(const Session *s) {
	return s->options->mode == MODE_CHECK && s->options->checks & CHECK_INIT;
}

static bool serve_hello(Session *s, const Nothing *request, ExecFacts *f, Err *err) {
	*f = (ExecFacts){.gpu = s->options->gpu,
					 .pool_at = s->pool.at,
					 .pool_bytes = s->pool.size,
					 .check = s->options->mode == MODE_CHECK,
					 .early = s->options->mode == MODE_CHECK && s->options->checks & CHECK_RACE,
					 .moves = tracks(s),
					 .predict = s->options->nmodels > 0,
					 .steps = s->options->steps,
					 .streams = s->options->streams};
	s->result->connected = true;
	return true;
}

static bool serve_stopped(Session *s, const ExecText *text, Nothing *answer, Err *err) {
	char *to = text->missing ? s->result->missing : s->result->stopped;
	snprintf(to, sizeof s->result->stopped, "%s", text->text ? text->text : "");
	s->result->connected = true;
	return true;
}

static bool serve_failed(Session *s, const ExecFailure *f, Nothing *answer, Err *err) {
	const ExecFailed failure = {f->by, (uint64_t)s->process, f->number, f->error, f->cause};
	tell(s, EXEC_FAILED, &failure);
	return true;
}

SERVE(timed, Nothing, Nothing, (tell(s, EXEC_TIMED, NULL), true))
SERVE(taken, Nothing, Nothing, s->result->taken = true)
SERVE(seen, Number, Nothing, (tell(s, EXEC_SEEN, &(ExecSeen){(uint64_t)s->process, r->value}), true))

/* --- memory ------------------------------------------------------------------------------------------------------- */

static const char *const kinds[] = {"cudaMalloc", "cudaMallocManaged", "cudaMallocHost"};

static bool serve_alloc(Session *s, const ExecAlloc *r, ExecPlace *place, Err *err) {
	Number addr;
	if (r->again && (r->again < EXEC_MANAGED || r->again >= EXEC_DEVICE_END || r->again % page_bytes()))
		return err_set(err, ERR_USAGE, "not an address for managed memory");
	char name[64];
	size_t kind = 2; /* the text is the program's: one of those that there are */
	while (kind > 0 && strcmp(kinds[kind], r->kind) != 0) kind--;
	if (r->variable) {
		mangled_variable(r->variable, name, sizeof name);
	} else {
		const uint64_t number = ++s->result->allocations[kind];
		snprintf(name, sizeof name, "%s %llu", kinds[kind], (unsigned long long)number);
		tell(s, EXEC_ALLOCATED, &(ExecAllocated){r->by, kinds[kind], number});
	}
	const Alloc alloc = {.bytes = r->bytes, .name = name, .again = r->again, .track = tracks(s)};
	if (!backend_alloc(s->backend, alloc, &addr, err)) return false;
	const uint8_t *view = backend_view(s->backend, addr.value, r->bytes);
	if (!view) return err_set(err, ERR_SETUP, "the device's memory cannot be shared with the program");
	Held *held = held_add(&s->held, addr.value, r->bytes, name);
	held->variable = r->variable;
	held->pinned = kind == 2;
	*place = (ExecPlace){addr.value, (uint64_t)(view - s->pool.bytes)};
	return true;
}

static bool serve_release(Session *s, const ExecRelease *r, Nothing *answer, Err *err) {
	Held *h = held_at(&s->held, r->addr);
	if (!h || h->addr != r->addr) return err_set(err, ERR_USAGE, "not an allocation");
	if (s->options->mode == MODE_CHECK) tell(s, EXEC_FREED, &(ExecFreed){r->by, h->name});
	unordered_released(&s->unordered, h->addr, h->bytes);
	held_release(&s->held, h);
	return backend_free(s->backend, (Number){r->addr}, NULL, err);
}

/* Of host code that is judged nothing is believed: what it copies is told here, whatever it says of it. */
static void tell_copied(Session *s, ExecCopied copied, const void *bytes) {
	char digest[HASH_CHARS] = "";
	Hash hash;
	if (!s->options->copies) return;
	hash_start(&hash);
	hash_add(&hash, bytes, copied.fills ? 0 : copied.bytes);
	hash_text(&hash, digest);
	copied.by = (ExecCall){.call = "", .object = ""};
	copied.digest = digest;
	tell(s, EXEC_COPIED, &copied);
}

static bool serve_write(Session *s, const ExecWrite *w, Nothing *answer, Err *err) {
	tell_copied(s, (ExecCopied){.bytes = w->bytes, .from_host = true}, w->data);
	return backend_upload(s->backend, w->addr, w->data, w->bytes, err);
}

static bool serve_fill(Session *s, const ExecFill *f, Nothing *answer, Err *err) {
	char part[1 << 16];
	tell_copied(s, (ExecCopied){.bytes = f->bytes, .fills = true}, NULL);
	for (size_t i = 0; i < sizeof part; i++) part[i] = ((const char *)&f->value)[i % f->width];
	const size_t most = sizeof part / f->width * f->width;
	for (uint64_t at = 0, n; at < f->bytes; at += n) {
		n = f->bytes - at < most ? f->bytes - at : most;
		if (!backend_upload(s->backend, f->addr + at, part, n, err)) return false;
	}
	return true;
}

static bool serve_early(Session *s, const ExecEarly *e, Nothing *answer, Err *err) {
	const Held *h = held_at(&s->held, e->addr);
	if (!h && !*e->what) h = held_freed_at(&s->held, e->addr);
	if (!h && !*e->what) h = held_at(&s->held, e->addr + EXEC_HEADER);
	if (!h || s->options->mode != MODE_CHECK) return err_set(err, ERR_USAGE, "not in an allocation");
	AUTO_FREE char *kernel = mangled_plain(e->what);
	const bool alone = !s->options->gpu->generation->cooperative && !h->pinned && kernel;
	const ExecEarlyUse use = {.by = e->by,
							  .what = kernel ? kernel : e->what,
							  .alone = alone ? s->options->gpu->name : NULL,
							  .buffer = h->name,
							  .offset = (int64_t)(e->addr - h->addr),
							  .writes = e->writes};
	tell(s, EXEC_EARLY, &use);
	return true;
}

/* The program has copied or filled: the checker is to know, and who asked for it. */
static bool serve_moved(Session *s, const ExecMoved *moved, Nothing *answer, Err *err) {
	const Moved *m = &moved->rows;
	Unwritten unwritten;
	Held *from = m->from ? held_rows(&s->held, m->from, m->from_pitch, m->width, m->rows) : NULL;
	Held *to = m->to ? held_rows(&s->held, m->to, m->to_pitch, m->width, m->rows) : NULL;
	if (m->to && !to) to = held_rows(&s->variables, m->to, m->to_pitch, m->width, m->rows);
	if ((m->to && !to) || (m->from && !from) || (!to && !from))
		return err_set(err, ERR_USAGE, "not rows of one allocation");
	if (!tracks(s)) return true;
	if (to && *moved->by.call)
		tell(s, EXEC_FILLED, &(ExecFilled){moved->by, to->name, m->to - to->addr, moved->bytes, to->bytes});
	s->backend->arena = s->server.arena;
	const bool ok = backend_moved(s->backend, *m, &unwritten, err);
	s->backend->arena = NULL;
	if (!ok || !from || !unwritten.bytes) return ok;
	AUTO_FREE char *kernel = from->kernel ? mangled_plain(from->kernel) : NULL;
	AUTO_FREE char *refused = from->refused ? mangled_plain(from->refused) : NULL;
	const ExecUnwritten copied = {.by = moved->by,
								  .buffer = from->name,
								  .bytes = m->width * m->rows,
								  .width = m->width,
								  .unwritten = unwritten,
								  .kernel = kernel ? kernel : from->kernel,
								  .refused = refused ? refused : from->refused,
								  .config = &from->config,
								  .element = from->element};
	tell(s, EXEC_UNWRITTEN, &copied);
	return true;
}

static bool serve_read(Session *s, const Bulk *r, Got *out, Err *err) {
	if (r->bytes > FRAME_MAX / 2) return err_set(err, ERR_USAGE, "more at once than is allowed");
	void *data = arena_alloc(s->server.arena, r->bytes + 1);
	if (!backend_download(s->backend, r->addr, data, r->bytes, err)) return false;
	tell_copied(s, (ExecCopied){.bytes = r->bytes, .to_host = true}, data);
	*out = (Got){data, r->bytes};
	return true;
}

static bool serve_operation(Session *s, const ExecOperation *operation, Nothing *answer, Err *err) {
	unordered_begin(&s->unordered, operation);
	return true;
}

static Finding finding_of(Session *s, const char *what, const Conflict *conflict) {
	char place[128] = "";
	const Held *h = held_at(&s->held, conflict->addr);
	const unsigned long long offset = h ? conflict->addr - h->addr : 0;
	if (h) snprintf(place, sizeof place, "byte %llu of %s on", offset, h->name);
	Finding f = unordered_finding(&s->unordered, what, conflict, place);
	if (!h) return f;
	snprintf(f.buffer, sizeof f.buffer, "%s", h->name);
	f.offset = (int64_t)offset;
	f.buffer_bytes = h->bytes;
	return f;
}

static bool serve_touched(Session *s, const ExecTouched *t, Nothing *answer, Err *err) {
	Conflict conflict;
	if (!(s->options->checks & CHECK_RACE) || !unordered_touch(&s->unordered, t->what, t->touched, t->n, &conflict))
		return true;
	const Finding finding = finding_of(s, t->what, &conflict);
	tell(s, EXEC_FOUND, &(ExecFound){t->by, &finding});
	return true;
}

/* --- modules ------------------------------------------------------------------------------------------------------ */

SERVE(load, ModuleCode, Number, modules_load(&s->modules, r, out, err))
SERVE(kernel, SymbolRequest, ExecKernel, modules_kernel(&s->modules, r, s->server.arena, out, err))
SERVE(occupancy, KernelRequest, Number, modules_occupancy(&s->modules, r, out, err))

static bool serve_variable(Session *s, const SymbolRequest *r, SymbolPlace *out, Err *err) {
	char name[sizeof((Held *)0)->name];
	if (!modules_variable(&s->modules, r, out, err)) return false;
	mangled_variable(r->name, name, sizeof name);
	if (out->bytes && !held_at(&s->variables, out->addr)) held_add(&s->variables, out->addr, out->bytes, name);
	return true;
}

/* --- launches ----------------------------------------------------------------------------------------------------- */

/* The program chooses these; time, order and the like are ours. What is counted of a judged program gives its grade, so
 * one host thread runs it: blocks that wait for others would test their flags as often as threads happen to run. */
static LaunchConfig config_of(const Session *s, const LaunchConfig *asked) {
	LaunchConfig config = {.shared_bytes = asked->shared_bytes,
						   .crowded = s->options->crowded,
						   .repeatable = s->options->confined && s->options->mode == MODE_COUNT,
						   .heap_bytes = asked->heap_bytes,
						   .cooperative = asked->cooperative,
						   .concurrent = held_next_from(&s->held, EXEC_MANAGED), /* other threads may write there */
						   .timeout_ms = limit_milliseconds(LIMIT_EMULATOR_TIME)};
	memcpy(config.grid, asked->grid, sizeof config.grid);
	memcpy(config.block, asked->block, sizeof config.block);
	memcpy(config.cluster, asked->cluster, sizeof config.cluster);
	return config;
}

static bool grid_is_empty(const LaunchConfig *c) {
	for (int i = 0; i < 3; i++)
		if (!c->grid[i] || !c->block[i]) return true;
	return false;
}

static void add_restore(const Session *s, Arena *arena, Submission *submission) {
	const size_t most = s->held.map.count + s->modules.variables.len + s->surfaces.len;
	Number *restore = arena_array(arena, most + 1, sizeof *restore);
	for (const Held *h = held_first(&s->held); h; h = held_next(&s->held, h))
		restore[submission->nrestore++] = (Number){h->addr};
	for (size_t i = 0; i < s->modules.variables.len; i++)
		restore[submission->nrestore++] = (Number){s->modules.variables.data[i]};
	for (size_t i = 0; i < s->surfaces.len; i++) restore[submission->nrestore++] = (Number){s->surfaces.data[i]};
	submission->restore = restore;
}

static Submission submission_of(const Session *s, const BackendItem *item) {
	const ExecOptions *o = s->options;
	return (Submission){.ask = {.mode = o->mode,
								.rules = o->gpu,
								.models = o->models,
								.nmodels = o->mode == MODE_CHECK ? 0 : o->nmodels,
								.checks = o->checks},
						.items = item,
						.nitems = 1};
}

static bool has_host_memory(const BackendLaunch *launch) {
	for (size_t at = 0; at + sizeof(uint64_t) <= launch->param_bytes; at += sizeof(uint64_t)) {
		uint64_t word;
		memcpy(&word, (const char *)launch->params + at, sizeof word);
		if (word >= EXEC_MANAGED && word < EXEC_DEVICE_END) return true;
	}
	return false;
}

/* The name is to be freed. */
static ExecLaunch launch_of(const Session *s, const BackendLaunch *launch) {
	char *name = mangled_plain(launch->linked_name);
	return (ExecLaunch){.number = s->result->launches,
						.kernel = launch->linked_name,
						.name = name ? name : xstrdup(launch->linked_name),
						.config = &launch->config,
						.gpu = s->options->gpu,
						.host_memory = has_host_memory(launch)};
}

/* What is kept of a launch, or why nothing is. */
typedef struct {
	Kept *kept;
	char why_not[WHY_NOT];
	bool by_call; /* the launch was refused by the runtime's call */
} Keeping;

static void keep(Session *s, const Code *code, const BackendLaunch *launch, Keeping *out) {
	const KeepRequest request = {.backend = s->backend,
								 .held = &s->held,
								 .number = s->result->launches + 1,
								 .launch = launch,
								 .ptx = code->ptx,
								 .text = code->text,
								 .cubin = code->cubin,
								 .most = (size_t)limit_of(LIMIT_KEPT_INPUTS)};
	out->kept = kept_of(&request, out->why_not);
}

static void report_launch(Session *s, const BackendLaunch *launch, const Report *report, const Keeping *keeping) {
	Fused fused;
	for (uint32_t i = 0; report->nitems && i < report->items->npredictions; i++) /* no GPU comes over the wire */
		report->items->predictions[i].gpu = s->options->models[i];
	ExecLaunch reported = launch_of(s, launch);
	reported.outcome = &report->outcome;
	reported.answer = report->nitems ? report->items : NULL;
	reported.kept = keeping->kept;
	reported.why_not_kept = keeping->why_not;
	reported.printed = &s->printed;
	reported.refused_by_call = keeping->by_call;
	if (s->options->mode == MODE_COUNT && modules_fused(&s->modules, launch, &fused)) reported.fused = &fused;
	if (keeping->kept) keeping->kept->now = s->backend;
	tell(s, EXEC_LAUNCHED, &reported);
	if (keeping->kept) keeping->kept->now = NULL;
	free(reported.name);
}

/* Other streams may have touched what the launch did. */
static void compare_streams(Session *s, const BackendLaunch *launch, Report *report) {
	Conflict conflict;
	ItemAnswer *a = report->nitems ? report->items : NULL;
	if (!a || !a->ntouched || !unordered_active(&s->unordered)) return;
	AUTO_FREE char *name = mangled_plain(launch->linked_name);
	AUTO_STR Str what = {0};
	str_addf(&what, "kernel %s", name ? name : launch->linked_name);
	if (!unordered_touch(&s->unordered, what.text, a->touched, a->ntouched, &conflict)) return;
	Finding *findings = arena_array(s->backend->arena, a->nfindings + 1, sizeof *findings);
	if (a->nfindings) memcpy(findings, a->findings, a->nfindings * sizeof *findings);
	findings[a->nfindings++] = finding_of(s, what.text, &conflict);
	a->findings = findings;
}

typedef struct {
	Session *session;
	Submission submission;
	BackendItem *item;
} Ordered;

static bool run_in_order(void *user, uint32_t seed, bool rehearse, Report *report, Err *err) {
	const Ordered *o = user;
	Backend *b = o->session->backend;
	Submission submission = o->submission;
	void (*const printer)(void *, const char *, size_t) = b->events.print;
	if (rehearse) {
		b->events.print = NULL;
		submission.ask.checks = order_checks(submission.ask.checks);
		submission.ask.rehearse = true;
		add_restore(o->session, b->arena, &submission);
	} else {
		const Session *s = o->session;
		const bool shared = held_next_from(&s->held, EXEC_MANAGED) || s->variables.map.count;
		submission.ask.touched = s->options->checks & CHECK_RACE && (shared || unordered_active(&s->unordered));
	}
	o->item->launch.config.schedule = seed;
	const bool ok = backend_submit(b, submission, report, err);
	b->events.print = printer;
	return ok;
}

static bool run(Session *s, BackendItem *item, const Keeping *keeping, Report *report, Err *err) {
	Ordered ordered = {s, submission_of(s, item), item};
	const bool orders = s->options->mode == MODE_CHECK && order_checks(s->options->checks);
	const OrderSearch search = {run_in_order, &ordered, 1, orders ? s->options->schedules : 0};
	Report other;
	uint32_t found;
	str_clear(&s->printed);
	if (!orders_check(&search, report, &other, &found, err) || s->gone) return false;
	held_say_refused(&s->held, report);
	host_pointers_say(&(HostPointer){s->process, &item->launch, &s->held, s->backend}, report);
	compare_streams(s, &item->launch, report);
	s->result->launches++;
	report_launch(s, &item->launch, report, keeping);
	if (!found) return true;
	item->launch.config.schedule = found;
	report_launch(s, &item->launch, &other, &(Keeping){0});
	return true;
}

/* What the kernel prints is printed when it runs. A launch that the GPU refuses is not stepped: it says why when it
 * runs. */
static void step(Session *s, const Code *code, const BackendLaunch *launch) {
	ExecStepped stepped = {.launch = launch_of(s, launch), .ptx = (const char *)code->text->data};
	void (*const printer)(void *, const char *, size_t) = s->backend->events.print;
	stepped.launch.number++;
	s->backend->events.print = NULL;
	if (tell(s, EXEC_BEGINS, &stepped.launch) &&
		stepping_on(s->backend, launch, s->options->gpu, &stepped.stepping, NULL))
		tell(s, EXEC_STEPPED, &stepped);
	stepping_close(stepped.stepping);
	s->backend->events.print = printer;
	free(stepped.launch.name);
}

static double milliseconds_of(const Report *r) {
	if (r->nitems && r->items->npredictions) return r->items->predictions[0].milliseconds;
	return r->outcome.milliseconds;
}

/* While a launch runs: other processes may wait for its end when its own process has ended. */
static void look_for_process(void *server) {
	Session *s = ((Server *)server)->self;
	struct pollfd at = {.fd = s->server.fd, .events = POLLRDHUP};
	if (s->gone || poll(&at, 1, 0) <= 0) return;
	s->gone = true;
	atomic_store(&cancel_flag, true);
}

/* What host code must not use before it waits: it has managed and pinned memory, and variables that may be managed. */
static void tell_touched(const Session *s, const Report *report, ExecEnded *out) {
	const ItemAnswer *a = report->nitems ? report->items : NULL;
	Touched *touched = arena_array(s->server.arena, a ? a->ntouched + 1 : 1, sizeof *touched);
	for (uint32_t i = 0; a && i < a->ntouched; i++) {
		const Touched t = a->touched[i];
		if ((t.addr >= EXEC_MANAGED && t.addr < EXEC_GRAPHS) || held_at(&s->variables, t.addr))
			touched[out->ntouched++] = t;
	}
	out->touched = touched;
}

static bool serve_launch(Session *s, const BackendLaunch *call, ExecEnded *out, Err *err) {
	const Code *code;
	BackendItem item = {.launch = *call};
	const PtxFunction *f = modules_launched(&s->modules, &item.launch, s->server.arena, &code, err);
	if (!f) return false;
	if (grid_is_empty(&call->config)) return err_set(err, ERR_USAGE, "not a grid");
	item.launch.config = config_of(s, &call->config);
	Report report = {0};
	s->backend->arena = arena_new();
	s->backend->events.look = look_for_process;
	if (s->options->steps) step(s, code, &item.launch);
	Keeping keeping = {0};
	if (s->options->keeps) keep(s, code, &item.launch, &keeping);
	const bool ok = run(s, &item, &keeping, &report, err);
	if (tracks(s) && ok) held_given(&s->held, f, &item.launch, report.outcome.status != LAUNCH_LIMIT);
	kept_drop(keeping.kept);
	const bool interrupted = report.outcome.status == LAUNCH_INTERRUPTED && !s->gone;
	if (interrupted) kill(s->process, SIGTERM); /* Ctrl-C, which it left to us */
	*out = (ExecEnded){.status = report.outcome.status,
					   .fault = report.outcome.fault.kind,
					   .milliseconds = ok ? milliseconds_of(&report) : 0,
					   .lives = report.lives};
	if (ok && !modules_order_host(code, f)) tell_touched(s, &report, out);
	s->backend->events.look = NULL;
	arena_free(s->backend->arena);
	s->backend->arena = NULL;
	return ok;
}

/* It is a launch of the program all the same. */
static bool serve_refused(Session *s, const ExecRefused *r, Nothing *answer, Err *err) {
	BackendLaunch launch = r->launch;
	const Code *code;
	const PtxFunction *f = modules_launched(&s->modules, &launch, s->server.arena, &code, err);
	if (!f) return false;
	ItemAnswer none = {0};
	Report report = {.outcome = {.status = LAUNCH_LIMIT}, .items = &none, .nitems = 1};
	Keeping keeping = {.why_not = "the launch was refused", .by_call = true};
	snprintf(report.outcome.message, sizeof report.outcome.message, "%s", r->why);
	if (s->options->keeps) keep(s, code, &launch, &keeping);
	held_given(&s->held, f, &launch, false);
	str_clear(&s->printed);
	s->result->launches++;
	report_launch(s, &launch, &report, &keeping);
	kept_drop(keeping.kept);
	return true;
}

/* --- textures ----------------------------------------------------------------------------------------------------- */

static bool serve_texture(Session *s, const TextureRequest *r, TextureMade *out, Err *err) {
	if (!backend_texture(s->backend, (TextureRequest){r->desc, "texture"}, out, err)) return false;
	if (r->desc.surface) vec_push(&s->surfaces, out->number);
	return true;
}

static bool serve_texture_free(Session *s, const Number *number, Nothing *answer, Err *err) {
	for (size_t i = 0; i < s->surfaces.len; i++)
		if (s->surfaces.data[i] == number->value) s->surfaces.data[i--] = s->surfaces.data[--s->surfaces.len];
	return backend_texture_free(s->backend, *number, NULL, err);
}

SERVE(texture_copy, TextureCopy, Nothing, backend_texture_copy(s->backend, *r, NULL, err))

/* --- the connection ----------------------------------------------------------------------------------------------- */

#define X(name, Request, Answer)                                                                                       \
	static bool call_##name(Server *server, const void *request, void *answer, Err *err) {                             \
		return serve_##name(server->self, request, answer, err);                                                       \
	}
EXEC_CALLS(X)
#undef X

static const ServeCall calls[EXEC_NCALLS] = {
#define X(name, Request, Answer) [EXEC_##name] = {&Request##_record, &Answer##_record, call_##name},
	EXEC_CALLS(X)
#undef X
};

/* The program gets it at once; its launch's record has the beginning. */
static void print(void *server, const char *text, size_t len) {
	enum { MOST = 1 << 20 };
	Session *s = ((Server *)server)->self;
	const size_t room = MOST - s->printed.len;
	s->result->taken = true;
	if (s->options->keeps) str_addn(&s->printed, text, len < room ? len : room);
	serve_print(server, text, len);
}

Session *session_open(const ExecOptions *options, ExecResult *result, int connection, pid_t process, Err *err) {
	char name[96];
	Session *s = xcalloc(1, sizeof *s);
	*s = (Session){.options = options,
				   .result = result,
				   .server = {.self = s, .calls = calls, .ncalls = EXEC_NCALLS, .fd = connection},
				   .process = process};
	snprintf(name, sizeof name, "emu:%s", options->gpu->name);
	if (!backend_proxy_open(name, options->gpu, &s->backend, err)) {
		free(s);
		return NULL;
	}
	s->modules =
		(Modules){.backend = s->backend, .gpu = options->gpu, .steps = options->steps, .keeps = options->keeps};
	s->pool = backend_proxy_pool(s->backend);
	s->backend->events = (BackendEvents){.print = print, .user = &s->server};
	if (options->steps) s->backend->events.cancel = &cancel_flag;
	return s;
}

int session_memory(const Session *s) {
	return s->options->confined ? -1 : s->pool.descriptor;
}

int session_connection(const Session *s) {
	return s->server.fd;
}

bool session_serve(Session *s) {
	const bool ok = frame_receive(s->server.fd, &s->server.frame, NULL) == WIRE_OK && serve_frame(&s->server);
	if (s->gone) atomic_store(&cancel_flag, false);
	return ok && !s->gone;
}

void session_close(Session *s) {
	s->backend->ops->close(s->backend);
	modules_free(&s->modules);
	for (const Held *h = held_first(&s->held); h; h = held_next(&s->held, h))
		if (!h->variable) s->result->unfreed++, s->result->unfreed_bytes += h->bytes;
	held_free(&s->held);
	held_free(&s->variables);
	vec_free(&s->surfaces);
	unordered_free(&s->unordered);
	str_free(&s->printed);
	serve_end(&s->server);
	close(s->server.fd);
	free(s);
}
