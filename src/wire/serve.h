/* The worker's side: calls in, answers out, until the other end closes. */
#pragma once

#include "base/err.h"
#include "wire/child.h"

typedef struct Server Server;

/* A row a call. request and answer are of the records' sizes and zeroed before; what they point to is in the frame or
 * the arena, and goes with the call. answer NULL: the answer is empty. False with err: that is the answer. */
typedef struct {
	const Record *request, *answer;
	bool (*serve)(Server *server, const void *request, void *answer, Err *err);
} ServeCall;

struct Server {
	void *self; /* the service's */
	const ServeCall *calls;
	size_t ncalls;
	/* Asked after a call that failed; no: the caller starts another worker. NULL: always. */
	bool (*works)(const Server *server);
	FrameType broken; /* what a call is answered with that failed and after which it does not work; 0: FRAME_BROKEN */
	int fd;
	int fd_out;      /* where answers go; 0: fd */
	bool packs;      /* answers may be compressed */
	Err posted;      /* of a posted call that failed; the next call that is answered gets it */
	uint8_t *shared; /* NULL: none; begins with a Shared */
	size_t shared_bytes;
	Arena *arena; /* of the call being served */
	Frame frame;
	Str out;
};

/* Makes this process, which child_start gave a session of its own, a worker: it dies with its parent, and SIGINT is not
 * for it. Maps the shared memory, if there is any. */
void serve_begin(Server *server, int fd);
/* Returns the process's exit status. */
int serve_until_closed(Server *server);
/* Serves the call in server->frame. False: the answer cannot be sent. */
bool serve_frame(Server *server);
void serve_end(Server *server); /* frees what serving took, shared memory included */

/* Callbacks of what a call does; server is a Server. They reach the caller before the answer does. */
void serve_print(void *server, const char *text, size_t len);
void serve_progress(void *server);
void serve_note(void *server, const char *text); /* for the person who waits */

const atomic_bool *serve_cancel(const Server *server); /* set while the current call is to end; NULL: never */
