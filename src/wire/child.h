/* A worker: a process `gpulab --worker SERVICE` here, or one elsewhere that a command reaches (ssh, srun); its start,
 * its end, and calls to it. A call sends a frame and waits for an answer or a cancel flag. A worker keeps the limits of
 * what it does by itself; the caller gives up only one that neither computes nor answers. Every failure (that, an
 * invalid message, death) has one result: the worker is killed, `fd` is -1, and child_start starts a new one.
 *
 * The worker has no terminal and no descriptors but these: WORKER_FD, its end of the socket; WORKER_SHARED, memory that
 * both sides map (shared.h). A command has our socket as its standard input and output, and no memory is shared: a
 * cancel is a frame. */
#pragma once

#include <sys/types.h>

#include "base/err.h"
#include "base/vec.h"
#include "wire/record.h"
#include "wire/shared.h"

enum { WORKER_FD = 3, WORKER_SHARED = 4 };

#define CHILD_GRACE_S 0.12 /* after a cancel: what ends by itself in that time costs no worker */

/* How long a worker may sleep that has a limit of so many seconds for what it was asked. */
static inline double child_patience(double limit_s) {
	return 5 + 10 * limit_s;
}

typedef struct {
	char service[96];           /* as on the command line */
	char name[96];              /* in messages: "the worker process for emu:GTX 280" */
	const atomic_bool *cancel;  /* looked at during calls; may be NULL */
	size_t shared_bytes;        /* SHARED_DATA and the service's part; 0: none */
	bool keep_shared;           /* a new worker finds what the old one left, if that is known to be gone */
	const char *const *command; /* what reaches a worker elsewhere, NULL at its end; NULL: a process here */
	bool packs;                 /* what is sent may be compressed */

	int fd; /* our end of the socket; -1: no worker */
	pid_t pid;
	int status;      /* as waitpid reports it, of the last one that died by itself; 0: none did */
	int errors;      /* what the worker writes to its standard error */
	int memory;      /* descriptor of the shared memory; -1: none */
	uint8_t *shared; /* mapped */
	uint32_t sequence, starts;
	double computed_s; /* processor time it had used when it was last looked at */
	Frame frame;       /* the last answer */
	Str out;           /* the call under construction */
	Arena *arena;      /* all that the last answer points to */
	Str line;          /* what has come of a line (child_await_line) */
	bool begun;        /* of the last call something came back */
	bool lost;         /* FRAME_LOST came: what the worker held is gone, until a call restarts it */
	char death[400];   /* how the last one ended */
	VEC(pid_t) dying;  /* killed, not waited for yet */
} Child;

/* Fills what is not for the caller to fill; no process yet. */
void child_init(Child *c, const char *service, const char *name, const atomic_bool *cancel);
bool child_start(Child *c, Err *err);      /* ends the one there is */
bool child_alive(Child *c);                /* notices a death */
void child_bury(Child *c, bool killed);    /* killed: by us, so how it ended is no news. There may be none */
void child_reap(Child *c, double seconds); /* waits that long for each that is dying */
void child_close(Child *c);                /* the end of it all */

typedef struct {
	uint16_t call; /* the service's number, from 0 */
	const Record *request, *answer;
	double patience_s; /* that the worker may sleep without a sign of life; one elsewhere, that it may be silent */
	double compute_s;  /* likewise that it may compute, if nothing in it looks at a limit; 0: any */
	double grace_s;    /* 0: CHILD_GRACE_S */
	void (*print)(void *user, const char *text, size_t len); /* may be NULL */
	void (*note)(void *user, const char *text, size_t len);  /* may be NULL */
	void (*look)(void *user);                                /* called about every 20 ms while waiting; may be NULL */
	void *user;
} Exchange;

/* The two halves of what follows, for a caller that has something else to do in between. */
WireStatus child_send(Child *c, const Exchange *x, const void *request);
WireStatus child_receive(Child *c, const Exchange *x);
/* Sends a call that is not answered (FRAME_POSTED): its error is that of the next call that is. */
WireStatus child_post(Child *c, const Exchange *x, const void *request);
/* Sends and waits. WIRE_OK: the answer, or the worker's error, is in c->frame. Otherwise the worker still has to be
 * buried. */
WireStatus child_exchange(Child *c, const Exchange *x, const void *request);
/* After WIRE_OK: the answer record, or the worker's own error as ours. An answer that is none ends the worker, and so
 * does an error after which it works no more. */
bool child_answer(Child *c, const Exchange *x, void *answer, Err *err);
void child_keep_answer(Child *c, Arena *arena); /* its lists outlive the next call, in this arena; NULL: they do not */
/* After anything else: buries the worker and says so. Returns false. */
bool child_lost(Child *c, WireStatus status, Err *err);
/* All three. False with err where there is no worker. */
bool child_call(Child *c, const Exchange *x, const void *request, void *answer, Err *err);

/* After child_start of a command: reads up to the line that begins with `mark`, over what a login shell may print
 * before it, and copies that line to out. `look` sees that it waits, and x->patience_s allows for how long. With 0
 * it reads what is there already; WIRE_TIMEOUT: the line is not whole yet, and a later call goes on with it. */
WireStatus child_await_line(Child *c, const Exchange *x, const char *mark, char *out, size_t size);
/* Before the first frame. */
WireStatus child_send_bytes(Child *c, const Exchange *x, const void *data, size_t bytes);
