/* proxy.h: a worker's life, and what is said to it. */
#include "device/proxy.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/proc.h"
#include "device/worker.h"

static const double CALL_S = 120; /* allocate, copy a piece, load a module (the driver may compile it) */
static const double BURY_S = 0.3; /* a killed process is usually gone by then; if not, it is waited for later */

/* --- life and death ---------------------------------------------------------------------------------------------------- */

static const char *worker_path(void) {
	const char *path = getenv("GPULAB_WORKER");
	return path && *path ? path : "/proc/self/exe";
}

void proxy_reap(Proxy *p, double seconds) {
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

void proxy_bury(Proxy *p, bool killed) {
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

bool proxy_start(Proxy *p, Err *err) {
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

/* --- calls --------------------------------------------------------------------------------------------------------------- */

bool proxy_is_there(const Proxy *p, Err *err) {
	return p->fd >= 0 || err_set(err, ERR_SETUP, "the worker process for %s %s", p->name, p->death);
}

Str *proxy_begin(Proxy *p) {
	str_clear(&p->out);
	return &p->out;
}

/* Sends what proxy_begin() gathered and waits for the answer, which is then in p->frame. */
WireStatus proxy_exchange(Proxy *p, ProxyCall *call) {
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

bool proxy_lost(Proxy *p, WireStatus status, Err *err) {
	proxy_bury(p, status != WIRE_CLOSED);
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

bool proxy_refused(Proxy *p, Err *err) {
	Err told = ERR_INIT;
	Reader r = reader_of(&p->frame);
	get_err(&r, &told);
	if (!reader_done(&r) || told.kind == ERR_NONE) return proxy_lost(p, WIRE_BROKEN, err);
	if (err) *err = told;
	return false;
}

bool proxy_ask_within(Proxy *p, FrameType type, double seconds, Reader *r, Err *err) {
	if (!proxy_is_there(p, err)) return false;
	ProxyCall call = {.type = type,
					  .limit = {.until = seconds_now() + seconds, .cancel = &device_cancel, .grace = GRACE_S}};
	WireStatus status = proxy_exchange(p, &call);
	if (status != WIRE_OK) return proxy_lost(p, status, err);
	if (p->frame.type == FRAME_ERR) return proxy_refused(p, err);
	*r = reader_of(&p->frame);
	return true;
}

bool proxy_ask(Proxy *p, FrameType type, Reader *r, Err *err) {
	return proxy_ask_within(p, type, CALL_S, r, err);
}

bool proxy_answered(Proxy *p, const Reader *r, Err *err) {
	return reader_done(r) || proxy_lost(p, WIRE_BROKEN, err);
}

bool proxy_ask_nothing(Proxy *p, FrameType type, Err *err) {
	Reader r;
	return proxy_ask(p, type, &r, err) && proxy_answered(p, &r, err);
}

bool proxy_ask_numbers(Proxy *p, FrameType type, uint64_t *out, size_t n, Err *err) {
	enum { MOST = 4 };
	uint64_t got[MOST];
	Reader r;
	if (!proxy_ask(p, type, &r, err)) return false;
	for (size_t i = 0; i < n && i < MOST; i++) got[i] = get_u64(&r);
	if (!proxy_answered(p, &r, err)) return false;
	memcpy(out, got, n * sizeof *out);
	return true;
}
