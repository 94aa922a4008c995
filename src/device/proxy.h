/* backend.h by a worker process: every call is a frame sent and an answer awaited, with an eye on the clock and on device_cancel.
 * Whatever goes wrong on the way (no answer in time, nonsense, silence, death) ends the same: the worker is killed, `fd` is -1,
 * alive says false, and restart begins anew. */
#ifndef GPULAB_DEVICE_PROXY_H
#define GPULAB_DEVICE_PROXY_H

#include <sys/types.h>

#include "base/vec.h"
#include "device/wire.h"

#define GRACE_S 0.25 /* after a cancel: a short launch ends by itself, and nothing is lost */

typedef struct {
	Backend base;
	char name[64];
	int fd; /* our end of the socket; -1: no worker */
	pid_t pid;
	int errors; /* what the worker writes to its standard error */
	/* WIRE_PIECE bytes for bulk data, shared with this worker alone: a dying one may still write to its own. */
	uint8_t *shared;
	uint32_t sequence;
	Frame frame;      /* the last answer */
	Str out;          /* the call under construction */
	char death[400];  /* how the last one ended */
	VEC(pid_t) dying; /* killed, not waited for yet */
} Proxy;

/* --- life and death ---------------------------------------------------------------------------------------------------- */

bool proxy_start(Proxy *p, Err *err);
void proxy_bury(Proxy *p, bool killed);    /* killed: by us, so how it ended is no news. There may be none */
void proxy_reap(Proxy *p, double seconds); /* waits that long for each that is dying */

/* --- calls --------------------------------------------------------------------------------------------------------------- */

typedef struct {
	FrameType type;
	WireLimit limit;
	double renewed_s; /* FRAME_SAMPLE: every sample done renews the limit by this much */
	void (*print)(void *user, const char *text, size_t len);
	void *user;
} ProxyCall;

bool proxy_is_there(const Proxy *p, Err *err);
Str *proxy_begin(Proxy *p); /* an empty call */

/* Sends what was put there and waits for the answer, which is then in p->frame. */
WireStatus proxy_exchange(Proxy *p, ProxyCall *call);

/* A call whose answer is read by the caller: *r stands at its beginning; proxy_answered once all of it is read. */
bool proxy_ask_within(Proxy *p, FrameType type, double seconds, Reader *r, Err *err);
bool proxy_ask(Proxy *p, FrameType type, Reader *r, Err *err);
bool proxy_answered(Proxy *p, const Reader *r, Err *err);

bool proxy_ask_nothing(Proxy *p, FrameType type, Err *err);                          /* the answer is empty */
bool proxy_ask_numbers(Proxy *p, FrameType type, uint64_t *out, size_t n, Err *err); /* n numbers, up to 4 */

/* All return false with err. */
bool proxy_refused(Proxy *p, Err *err);                 /* the worker's own error becomes ours */
bool proxy_lost(Proxy *p, WireStatus status, Err *err); /* no answer came: the worker is ended */

#endif
