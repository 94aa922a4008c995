/* The runtime's functions for streams and events. See runtime.h: what a stream is given is done before the call
 * returns, so that waiting is over at once, and every event that was recorded has happened. */
#include <stdlib.h>
#include <time.h>

#include "base/arena.h"
#include "exec/runtime/runtime.h"

typedef struct {
	unsigned flags;
	int priority;
	unsigned long long id;
} Stream;

typedef struct {
	unsigned flags;
	bool recorded;
	double at;
} Event;

/* --- time --------------------------------------------------------------------------------------------------------- */

static double predicted;

/* Under predictions the device's time passes by what the model says, and only then. */
void clock_add(double milliseconds) {
	if (facts()->predict) predicted += milliseconds;
}

static double now(void) {
	struct timespec t;
	if (facts()->predict) return predicted;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

/* --- streams ------------------------------------------------------------------------------------------------------ */

API cudaError_t cudaStreamCreateWithPriority(cudaStream_t *out, unsigned flags, int priority) {
	static unsigned long long ids = 2;
	BEGIN;
	Stream *s = xcalloc(1, sizeof *s);
	*s = (Stream){flags, priority > 0 ? 0 : priority < -5 ? -5 : priority, ++ids};
	*out = (cudaStream_t)s;
	return returned(cudaSuccess);
}

API cudaError_t cudaStreamCreateWithFlags(cudaStream_t *out, unsigned flags) {
	return cudaStreamCreateWithPriority(out, flags, 0);
}

API cudaError_t cudaStreamCreate(cudaStream_t *out) {
	return cudaStreamCreateWithPriority(out, cudaStreamDefault, 0);
}

static const Stream *stream_of(cudaStream_t stream) {
	static const Stream usual = {0, 0, 1};
	return (uintptr_t)stream <= (uintptr_t)cudaStreamPerThread ? &usual : (const Stream *)stream;
}

API cudaError_t cudaStreamDestroy(cudaStream_t stream) {
	BEGIN;
	if ((uintptr_t)stream <= (uintptr_t)cudaStreamPerThread) return returned(cudaErrorInvalidResourceHandle);
	free(stream);
	return returned(cudaSuccess);
}

API cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned *flags) {
	*flags = stream_of(stream)->flags;
	return cudaSuccess;
}

API cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority) {
	*priority = stream_of(stream)->priority;
	return cudaSuccess;
}

API cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long *id) {
	*id = stream_of(stream)->id;
	return cudaSuccess;
}

API cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
	(void)stream;
	BEGIN;
	return returned(cudaSuccess);
}

API cudaError_t cudaStreamQuery(cudaStream_t stream) {
	return cudaStreamSynchronize(stream);
}

API cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
	(void)stream, (void)flags;
	BEGIN;
	return returned(event ? cudaSuccess : cudaErrorInvalidResourceHandle);
}

API cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *status) {
	(void)stream;
	*status = cudaStreamCaptureStatusNone;
	return cudaSuccess;
}

/* Host functions may call the runtime: the lock is free for them. */
API cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *user, unsigned flags) {
	(void)flags;
	BEGIN;
	unlock();
	callback(stream, cudaSuccess, user);
	return cudaSuccess;
}

API cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *user) {
	(void)stream;
	BEGIN;
	unlock();
	function(user);
	return cudaSuccess;
}

API cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest) {
	if (least) *least = 0;
	if (greatest) *greatest = -5;
	return cudaSuccess;
}

/* --- events ------------------------------------------------------------------------------------------------------- */

API cudaError_t cudaEventCreateWithFlags(cudaEvent_t *out, unsigned flags) {
	BEGIN;
	Event *e = xcalloc(1, sizeof *e);
	e->flags = flags;
	*out = (cudaEvent_t)e;
	return returned(cudaSuccess);
}

API cudaError_t cudaEventCreate(cudaEvent_t *out) {
	return cudaEventCreateWithFlags(out, cudaEventDefault);
}

API cudaError_t cudaEventDestroy(cudaEvent_t event) {
	BEGIN;
	free(event);
	return returned(event ? cudaSuccess : cudaErrorInvalidResourceHandle);
}

API cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned flags) {
	Event *e = (Event *)event;
	(void)stream, (void)flags;
	BEGIN;
	if (!e) return returned(cudaErrorInvalidResourceHandle);
	e->recorded = true;
	e->at = now();
	return returned(cudaSuccess);
}

API cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
	return cudaEventRecordWithFlags(event, stream, 0);
}

API cudaError_t cudaEventSynchronize(cudaEvent_t event) {
	BEGIN;
	return returned(event ? cudaSuccess : cudaErrorInvalidResourceHandle);
}

API cudaError_t cudaEventQuery(cudaEvent_t event) {
	return cudaEventSynchronize(event);
}

API cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t from, cudaEvent_t to) {
	const Event *f = (const Event *)from, *t = (const Event *)to;
	BEGIN;
	if (!f || !t || !f->recorded || !t->recorded || ((f->flags | t->flags) & cudaEventDisableTiming))
		return returned(cudaErrorInvalidResourceHandle);
	*ms = (float)(t->at - f->at);
	return returned(cudaSuccess);
}
