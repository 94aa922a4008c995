/* child.h */
#include "wire/child.h"

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

#include "base/proc.h"
#include "base/str.h"

static const double BURY_S = 0.3;  /* a dead process is usually gone by then; if not, it is waited for later */
static const double END_S = 3;     /* a command that was asked to end gives its job back first */
static const double KILL_S = 0.05; /* one we killed without waiting for it: freeing gigabytes may take long */

/* --- life and death ----------------------------------------------------------------------------------------------- */

void child_init(Child *c, const char *service, const char *name, const atomic_bool *cancel) {
	*c = (Child){.cancel = cancel, .fd = -1, .errors = -1, .memory = -1};
	snprintf(c->service, sizeof c->service, "%s", service);
	snprintf(c->name, sizeof c->name, "%s", name);
	snprintf(c->death, sizeof c->death, "has not been started");
}

void child_reap(Child *c, double seconds) {
	for (size_t i = 0; i < c->dying.len;)
		if (proc_wait(c->dying.data[i], seconds, NULL))
			c->dying.data[i] = c->dying.data[--c->dying.len];
		else
			i++;
}

/* srun's line on a task's end, which comes before or after the task's own: the exit status has said as much. */
static bool says_only_status(const char *line) {
	const char *task = text_starts(line, "srun: error: ") ? strstr(line, ": task ") : NULL;
	return task && (strstr(task, "Exited with exit code") || strstr(task, "Terminated") || strstr(task, "Killed"));
}

/* The last line the worker wrote to its standard error that says more than its status. */
static void last_words(const Child *c, char *out, size_t size) {
	char tail[600];
	const char *said = NULL;
	const off_t end = c->errors < 0 ? 0 : lseek(c->errors, 0, SEEK_END);
	*out = '\0';
	if (end <= 0) return;
	const off_t from = end > (off_t)sizeof tail - 1 ? end - ((off_t)sizeof tail - 1) : 0;
	const ssize_t n = pread(c->errors, tail, sizeof tail - 1, from);
	if (n <= 0) return;
	tail[n] = '\0';
	char *rest = tail, *line;
	while ((line = strsep(&rest, "\r\n"))) {
		line += strspn(line, " ");
		if (*line && (!said || !says_only_status(line))) said = line;
	}
	if (said) snprintf(out, size, "; its last message: %.200s", said);
}

static void drop_shared(Child *c) {
	shared_unmap(c->shared, c->shared_bytes);
	if (c->memory >= 0) close(c->memory);
	c->shared = NULL;
	c->memory = -1;
}

/* A command is asked, with all it started: ssh and srun then end what they hold elsewhere. */
static void end_process(const Child *c, int how) {
	if (c->command)
		kill(-c->pid, how == SIGKILL ? SIGTERM : how);
	else
		kill(c->pid, how);
}

void child_bury(Child *c, bool killed) {
	int status = 0;
	if (c->fd < 0) return;
	close(c->fd);
	c->fd = -1;
	c->lost = false;
	if (killed) end_process(c, SIGKILL);
	const bool gone = proc_wait(c->pid, killed && !c->keep_shared ? KILL_S : BURY_S, &status);
	if (!gone) {
		end_process(c, SIGKILL);
		vec_push(&c->dying, c->pid);
	}
	char how[100] = "closed the connection", said[250];
	if (gone && !killed) proc_status_text(status, how, sizeof how);
	if (gone && !killed && c->command && status == 0) snprintf(how, sizeof how, "ended");
	c->status = gone && !killed ? status : 0;
	last_words(c, said, sizeof said);
	snprintf(c->death, sizeof c->death, "%s%s", killed ? "was ended" : how, said);
	if (c->errors >= 0) close(c->errors);
	c->errors = -1;
	/* One that is not gone may still write. */
	if (!c->keep_shared || !gone) drop_shared(c);
}

/* Sealed: a worker gone mad could otherwise make it shorter under our hands. */
static bool make_shared(Child *c, Err *err) {
	if (!c->shared_bytes || c->shared) return true;
	c->memory = memfd_create("gpulab", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (c->memory >= 0 && ftruncate(c->memory, (off_t)c->shared_bytes) == 0 &&
		fcntl(c->memory, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0)
		c->shared = shared_map(c->memory, c->shared_bytes);
	if (c->shared) return true;
	err_set(err, ERR_SETUP, "no memory to share with the worker process: %s", strerror(errno));
	drop_shared(c);
	return false;
}

static bool spawn(Child *c, int end, Err *err) {
	char *argv[] = {(char *)"gpulab", (char *)"--worker", c->service, NULL};
	const int worker[] = {-1, -1, c->errors, [WORKER_FD] = end, [WORKER_SHARED] = c->memory},
			  command[] = {end, end, c->errors};
	const ProcStart here = {.path = proc_self(),
							.argv = argv,
							.fds = worker,
							.nfds = WORKER_SHARED + 1,
							.own_session = true},
					elsewhere = {.path = c->command ? c->command[0] : NULL,
								 .argv = (char *const *)c->command,
								 .fds = command,
								 .nfds = 3,
								 .own_session = true,
								 .search = true};
	return proc_start(c->command ? &elsewhere : &here, &c->pid, err);
}

bool child_start(Child *c, Err *err) {
	int ends[2] = {-1, -1};
	child_bury(c, true);
	child_reap(c, 0);
	bool ok = make_shared(c, err);
	if (ok && socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0)
		ok = err_set(err, ERR_SETUP, "no socket for the worker process: %s", strerror(errno));
	c->errors = memfd_create("standard error", MFD_CLOEXEC); /* without it the last words are lost, no more */
	if (ok) ok = spawn(c, ends[1], err);
	if (ends[1] >= 0) close(ends[1]);
	if (ok) {
		if (c->shared) atomic_store(&((Shared *)c->shared)->cancel, false);
		c->fd = ends[0];
		c->starts++;
		str_clear(&c->line);
		return true;
	}
	if (ends[0] >= 0) close(ends[0]);
	if (c->errors >= 0) close(c->errors);
	c->errors = -1;
	return false;
}

bool child_alive(Child *c) {
	if (c->fd < 0) return false;
	struct pollfd hang_up = {.fd = c->fd};
	if (poll(&hang_up, 1, 0) > 0 && hang_up.revents & (POLLHUP | POLLERR)) child_bury(c, false);
	return c->fd >= 0;
}

void child_close(Child *c) {
	child_bury(c, true);
	child_reap(c, c->command ? END_S : 2);
	for (size_t i = 0; i < c->dying.len; i++) kill(c->command ? -c->dying.data[i] : c->dying.data[i], SIGKILL);
	drop_shared(c);
	vec_free(&c->dying);
	str_free(&c->out);
	str_free(&c->line);
	arena_free(c->arena);
	frame_free(&c->frame);
	child_init(c, "", "", NULL);
}

/* --- calls -------------------------------------------------------------------------------------------------------- */

/* A thread that waits for a processor, is stopped, or waits for a disk gets on when the machine lets it. */
static WireSeen worker_seen(void *child) {
	Child *c = child;
	const double now = proc_computed(c->pid), before = c->computed_s;
	c->computed_s = now;
	return (WireSeen){.computed = now - before, .asleep = proc_sleeps(c->pid)};
}

static WireLimit limit_of(Child *c, const Exchange *x) {
	Shared *shared = (Shared *)c->shared;
	c->computed_s = proc_computed(c->pid);
	return (WireLimit){.patience = x->patience_s,
					   .most_computed = x->compute_s,
					   .see = c->command ? NULL : worker_seen,
					   .seen = c,
					   .cancel = c->cancel,
					   .forward = shared ? &shared->cancel : NULL,
					   .look = x->look,
					   .user = x->user,
					   .out = c->fd,
					   .grace = x->grace_s > 0 ? x->grace_s : CHILD_GRACE_S};
}

static WireStatus send_within(Child *c, const Exchange *x, const void *request, unsigned flags, WireLimit *limit) {
	if (c->shared) atomic_store(&((Shared *)c->shared)->cancel, false);
	str_clear(&c->out);
	record_put(&c->out, x->request, request);
	limit->sequence = ++c->sequence;
	c->begun = false;
	return (c->packs ? frame_send_packed : frame_send)(c->fd, (uint16_t)((FRAME_CALLS + x->call) | flags), c->sequence,
													   c->out.text, c->out.len, limit);
}

static WireStatus receive_within(Child *c, const Exchange *x, WireLimit *limit) {
	limit->tell = c->command;
	c->frame.packs = c->packs;
	for (;;) {
		const WireStatus status = frame_receive(c->fd, &c->frame, limit);
		if (status != WIRE_OK) return status;
		if (c->frame.sequence != c->sequence || c->frame.posted) return WIRE_BROKEN;
		c->begun = true;
		switch (c->frame.type) {
		case FRAME_LOST: c->lost = true; __attribute__((fallthrough));
		case FRAME_ANSWER:
		case FRAME_ERROR:
		case FRAME_BROKEN: return WIRE_OK;
		case FRAME_NOTE:
			if (x->note) x->note(x->user, (const char *)c->frame.data, c->frame.len);
			break;
		case FRAME_PRINT:
			if (x->print) x->print(x->user, (const char *)c->frame.data, c->frame.len);
			break;
		case FRAME_PROGRESS: break;
		default: return WIRE_BROKEN;
		}
	}
}

WireStatus child_send(Child *c, const Exchange *x, const void *request) {
	WireLimit limit = limit_of(c, x);
	return send_within(c, x, request, 0, &limit);
}

WireStatus child_post(Child *c, const Exchange *x, const void *request) {
	WireLimit limit = limit_of(c, x);
	return send_within(c, x, request, FRAME_POSTED, &limit);
}

WireStatus child_receive(Child *c, const Exchange *x) {
	WireLimit limit = limit_of(c, x);
	return receive_within(c, x, &limit);
}

WireStatus child_exchange(Child *c, const Exchange *x, const void *request) {
	WireLimit limit = limit_of(c, x);
	const WireStatus status = send_within(c, x, request, 0, &limit);
	return status == WIRE_OK ? receive_within(c, x, &limit) : status;
}

bool child_lost(Child *c, WireStatus status, Err *err) {
	child_bury(c, status != WIRE_CLOSED);
	switch (status) {
	case WIRE_CANCELLED: return err_set(err, ERR_INTERRUPTED, "interrupted");
	case WIRE_TIMEOUT:
		err_set(err, ERR_SETUP, "the worker process for %s did not answer in time and was stopped", c->name);
		return err_hint(err, "the next command starts a fresh one");
	case WIRE_BROKEN:
		err_set(err, ERR_SETUP, "the worker process for %s sent an invalid message and was stopped", c->name);
		return err_hint(err, "is GPULAB_WORKER another version of gpulab?");
	case WIRE_OK:
	case WIRE_CLOSED: break;
	}
	err_set(err, ERR_SETUP, "the worker process for %s %s", c->name, c->death);
	return err_hint(err, "the next command starts a fresh one");
}

bool child_answer(Child *c, const Exchange *x, void *answer, Err *err) {
	arena_free(c->arena);
	c->arena = arena_new();
	Frame kept = c->frame; /* in the arena, so that all of the answer goes with it */
	if (kept.len) kept.data = memcpy(arena_alloc(c->arena, kept.len), c->frame.data, kept.len);
	Reader r = reader_of(&kept, c->arena);
	if (c->frame.type == FRAME_ANSWER) {
		record_get(&r, x->answer, answer);
		return reader_done(&r) || child_lost(c, WIRE_BROKEN, err);
	}
	Err reported = ERR_INIT;
	record_get(&r, &Err_record, &reported);
	if (!reader_done(&r) || reported.kind == ERR_NONE) return child_lost(c, WIRE_BROKEN, err);
	if (c->frame.type == FRAME_BROKEN) child_bury(c, true);
	if (err) *err = reported;
	return false;
}

void child_keep_answer(Child *c, Arena *arena) {
	if (!arena) return;
	arena_join(arena, c->arena);
	c->arena = NULL;
}

bool child_call(Child *c, const Exchange *x, const void *request, void *answer, Err *err) {
	if (c->fd < 0) return err_set(err, ERR_SETUP, "the worker process for %s %s", c->name, c->death);
	const WireStatus status = child_exchange(c, x, request);
	return status == WIRE_OK ? child_answer(c, x, answer, err) : child_lost(c, status, err);
}

/* --- a worker elsewhere ------------------------------------------------------------------------------------------- */

/* A byte at a time: what follows the line is not for here. */
WireStatus child_await_line(Child *c, const Exchange *x, const char *mark, char *out, size_t size) {
	enum { MOST_NOISE = 64 << 10 };
	WireLimit limit = limit_of(c, x);
	for (size_t noise = 0; noise < MOST_NOISE; noise++) {
		char byte;
		const WireStatus status = frame_receive_byte(c->fd, (uint8_t *)&byte, &limit);
		if (status != WIRE_OK) return status;
		if (byte != '\n' && c->line.len < size - 1) str_addn(&c->line, &byte, 1);
		if (byte != '\n') continue;
		snprintf(out, size, "%s", c->line.len ? c->line.text : "");
		str_clear(&c->line);
		if (text_starts(out, mark)) return WIRE_OK;
	}
	return WIRE_BROKEN;
}

WireStatus child_send_bytes(Child *c, const Exchange *x, const void *data, size_t bytes) {
	WireLimit limit = limit_of(c, x);
	return frame_send_bytes(c->fd, data, bytes, &limit);
}
