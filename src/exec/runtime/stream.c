/* The runtime's functions for streams and events. See runtime.h: what a stream is given is done before the call
 * returns, or when the queue draws it. */
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/vec.h"
#include "exec/runtime/operations.h"

enum { HIGHEST_PRIORITY = -5 };
#define SEPARATE_REMOTE                                                                                                \
	{ .default_ = 0, .remote = 1 } /* of memory synchronization domains */

static _Atomic unsigned long long ids = EXEC_FIRST_STREAM;
static __thread Graph *all_into; /* of nodes that are added */

/* --- time --------------------------------------------------------------------------------------------------------- */

/* What a time is that the program is about to see for the first time. */
static void tell_time(void) {
	static bool told;
	if (told || facts()->predict) return;
	told = true;
	ask(EXEC_timed, &(Nothing){0}, NULL);
}

/* --- streams ------------------------------------------------------------------------------------------------------ */

static int priority_of(int asked) {
	return asked > 0 ? 0 : asked < HIGHEST_PRIORITY ? HIGHEST_PRIORITY : asked;
}

static Stream *stream_new(unsigned flags) {
	Stream *s = xcalloc(1, sizeof *s);
	*s = (Stream){.flags = flags, .id = ids++, .waiting = cudaSyncPolicyAuto, .domains = SEPARATE_REMOTE};
	return s;
}

API cudaError_t cudaStreamCreateWithPriority(cudaStream_t *out, unsigned flags, int priority) {
	BEGIN_FOR(out, false);
	if (flags_are_wrong(flags, cudaStreamNonBlocking)) return returned(cudaErrorInvalidValue);
	Stream *s = stream_new(flags);
	s->priority = priority_of(priority);
	*out = (cudaStream_t)s;
	handle_add(s, A_STREAM);
	order_stream(stream_key(*out));
	return returned(cudaSuccess);
}

FORWARD(cudaStreamCreateWithFlags, (cudaStream_t * out, unsigned flags), cudaStreamCreateWithPriority(out, flags, 0))
FORWARD(cudaStreamCreate, (cudaStream_t * out), cudaStreamCreateWithPriority(out, cudaStreamDefault, 0))

/* --- cudaStreamPerThread ------------------------------------------------------------------------------------------ */

static __thread Stream *own; /* of this thread */
static pthread_key_t own_key;
static pthread_once_t own_once = PTHREAD_ONCE_INIT;

/* The thread ends; what its stream was given goes on. */
static void drop_own(void *stream) {
	lock();
	capture_forget(stream);
	unlock();
	free(stream);
}

static void make_own_key(void) {
	pthread_key_create(&own_key, drop_own);
}

static Stream *own_stream(void) {
	if (own) return own;
	pthread_once(&own_once, make_own_key);
	own = stream_new(cudaStreamDefault);
	pthread_setspecific(own_key, own);
	return own;
}

Stream *stream_of(cudaStream_t stream) {
	static Stream usual = {.id = USUAL_STREAM, .waiting = cudaSyncPolicyAuto, .domains = SEPARATE_REMOTE};
	static Stream none = {.id = NO_STREAM};
	if (stream == cudaStreamPerThread) return own_stream();
	if (stream == NULL || stream == cudaStreamLegacy) return &usual;
	return is_handle(stream, A_STREAM) ? (Stream *)stream : &none;
}

StreamKey stream_key(cudaStream_t stream) {
	const Stream *s = stream_of(stream);
	return (StreamKey){s->id, !(s->flags & cudaStreamNonBlocking), all_into ? all_into : capture_graph(s)};
}

static bool is_none(cudaStream_t stream) {
	return stream_of(stream)->id == NO_STREAM;
}

static bool is_usual(cudaStream_t stream) {
	return stream_of(stream)->id == USUAL_STREAM;
}

Graph *stream_capture_all(Graph *all) {
	Graph *before = all_into;
	all_into = all;
	return before;
}

API cudaError_t cudaStreamDestroy(cudaStream_t stream) {
	BEGIN_QUEUED;
	if (is_usual(stream) || stream == cudaStreamPerThread) return returned(cudaErrorInvalidResourceHandle);
	if (is_none(stream)) return returned(no_such("stream"));
	capture_forget((Stream *)stream);
	handle_remove(stream);
	free(stream); /* what it was given goes on */
	return returned(cudaSuccess);
}

/* Why the stream cannot be asked or waited for. */
static cudaError_t refused_stream(cudaStream_t stream, CaptureRule rule) {
	return is_none(stream) ? no_such("stream") : capture_refuses(stream_key(stream), rule);
}

#define ANSWER_OF_STREAM(name, type, refusal, what)                                                                    \
	API cudaError_t name(cudaStream_t stream, type *out) {                                                             \
		BEGIN_FOR(out, false);                                                                                         \
		const cudaError_t refused = refusal;                                                                           \
		if (refused == cudaSuccess) *out = what;                                                                       \
		return returned(refused);                                                                                      \
	}
ANSWER_OF_STREAM(cudaStreamGetFlags, unsigned, refused_stream(stream, CAPTURE_REFUSED), stream_of(stream)->flags)
ANSWER_OF_STREAM(cudaStreamGetPriority, int, is_none(stream) ? no_such("stream") : cudaSuccess,
				 stream_of(stream)->priority)
ANSWER_OF_STREAM(cudaStreamGetId, unsigned long long, refused_stream(stream, CAPTURE_REFUSED), stream_of(stream)->id)

ANSWER(cudaStreamGetDevice, (cudaStream_t stream, int *device), *device, 0)
ALSO(cudaStreamGetDevice_ptsz, cudaStreamGetDevice)

/* After what was waited for: an error that only showed then. */
static cudaError_t waited(void) {
	cudaError_t error;
	pools_synchronized();
	return returned(device_lost(&error) ? error : queue_late());
}

API cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
	BEGIN_QUEUED;
	const cudaError_t refused = refused_stream(stream, CAPTURE_UNSAFE);
	if (refused != cudaSuccess) return returned(refused);
	queue_wait_stream(stream_key(stream));
	return waited();
}

/* Not being ready is no error that the thread keeps. */
static cudaError_t polled(bool done) {
	if (done) return waited();
	unlock();
	return cudaErrorNotReady;
}

API cudaError_t cudaStreamQuery(cudaStream_t stream) {
	BEGIN_QUEUED;
	const cudaError_t refused = refused_stream(stream, CAPTURE_UNSAFE);
	if (refused != cudaSuccess) return returned(refused);
	const StreamKey key = stream_key(stream);
	return polled(queue_poll(&key, 0));
}

/* --- attributes: kept for the program, they change no result ------------------------------------------------------ */

typedef struct {
	enum cudaLaunchAttributeID id;
	size_t at, bytes; /* in a Stream */
} Kept;
#define KEPT(id, member)                                                                                               \
	{ cudaLaunchAttribute##id, offsetof(Stream, member), sizeof((Stream *)0)->member }
static const Kept kept[] = {KEPT(AccessPolicyWindow, window), KEPT(SynchronizationPolicy, waiting),
							KEPT(Priority, priority), KEPT(MemSyncDomain, domain), KEPT(MemSyncDomainMap, domains)};
enum { NKEPT = sizeof kept / sizeof *kept };

static bool is_window(const struct cudaAccessPolicyWindow *w) {
	return w->hitRatio >= 0 && w->hitRatio <= 1 && w->missProp != cudaAccessPropertyPersisting;
}

/* Where it is in the stream. NULL: there is none. */
static char *attribute(cudaStream_t stream, cudaStreamAttrID id, size_t *bytes) {
	for (size_t i = 0; i < NKEPT; i++) {
		*bytes = kept[i].bytes;
		if (kept[i].id == id) return (char *)stream_of(stream) + kept[i].at;
	}
	return NULL;
}

/* Every member of the value begins where it does. */
static cudaError_t get_attribute(cudaStream_t stream, cudaStreamAttrID id, cudaStreamAttrValue *value) {
	size_t bytes;
	const char *there = value ? attribute(stream, id, &bytes) : NULL;
	if (!there) return cudaErrorInvalidValue;
	memcpy(value, there, bytes);
	return cudaSuccess;
}

static cudaError_t set_attribute(cudaStream_t stream, cudaStreamAttrID id, const cudaStreamAttrValue *value) {
	size_t bytes;
	char *there = value ? attribute(stream, id, &bytes) : NULL;
	if (!there || (id == cudaLaunchAttributeAccessPolicyWindow && !is_window(&value->accessPolicyWindow)))
		return cudaErrorInvalidValue;
	memcpy(there, value, bytes);
	if (id == cudaLaunchAttributePriority) stream_of(stream)->priority = priority_of(value->priority);
	return cudaSuccess;
}

static cudaError_t copy_attributes(Stream *to, const Stream *from) {
	for (size_t i = 0; i < NKEPT; i++) memcpy((char *)to + kept[i].at, (const char *)from + kept[i].at, kept[i].bytes);
	return cudaSuccess;
}

CALL_QUEUED(cudaStreamSetAttribute, (cudaStream_t stream, cudaStreamAttrID id, const cudaStreamAttrValue *value),
			set_attribute(stream, id, value))
CALL_QUEUED(cudaStreamGetAttribute, (cudaStream_t stream, cudaStreamAttrID id, cudaStreamAttrValue *value),
			get_attribute(stream, id, value))
CALL_QUEUED(cudaStreamCopyAttributes, (cudaStream_t to, cudaStream_t from),
			copy_attributes(stream_of(to), stream_of(from)))

/* --- host functions ----------------------------------------------------------------------------------------------- */

typedef struct {
	cudaStream_t stream;
	cudaStreamCallback_t callback; /* or */
	cudaHostFn_t function;
	void *user;
} HostCall;

/* Host functions may call the runtime: the lock is free for them. */
static cudaError_t call_host(void *data) {
	const HostCall *c = data;
	const uint64_t now = order_now();
	printed_comes_out();
	order_host_waited(true); /* what it uses was to be done before it */
	calls_host = true;
	unlock();
	if (c->callback)
		c->callback(c->stream, cudaSuccess, c->user);
	else
		c->function(c->user);
	lock();
	calls_host = false;
	order_waited(now); /* it may have told the program */
	return cudaSuccess;
}

static cudaError_t add_host_call(cudaStream_t stream, HostCall call) {
	BEGIN_QUEUED;
	if (!call.callback && !call.function) because("the function is a null pointer");
	if (!call.callback && !call.function) return returned(cudaErrorInvalidValue);
	const cudaError_t refused = capture_refuses(stream_key(stream), call.callback ? CAPTURE_REFUSED : CAPTURE_NODE);
	if (call.callback && stream_key(stream).graph) because("a callback cannot be captured: use cudaLaunchHostFunc");
	if (refused != cudaSuccess) return returned(refused);
	HostCall *data = xmalloc(sizeof *data);
	*data = call;
	return returned(queue_add(stream_key(stream), 0, call_host, data, NULL));
}

FORWARD(cudaStreamAddCallback, (cudaStream_t stream, cudaStreamCallback_t callback, void *user, unsigned flags),
		add_host_call(stream, (HostCall){.stream = stream, .callback = callback, .user = user}))
FORWARD(cudaLaunchHostFunc, (cudaStream_t stream, cudaHostFn_t function, void *user),
		add_host_call(stream, (HostCall){.stream = stream, .function = function, .user = user}))

static cudaError_t attach(cudaStream_t stream, const void *at, unsigned flags) {
	const StreamKey key = stream_key(stream);
	Block *b = block_at((uint64_t)(uintptr_t)at);
	if (b && b->kind == BLOCK_MANAGED)
		b->attached = flags == cudaMemAttachHost ? NO_STREAM : flags == cudaMemAttachGlobal ? 0 : key.id;
	return capture_refuses(key, CAPTURE_UNSAFE);
}

CALL_QUEUED(cudaStreamAttachMemAsync, (cudaStream_t stream, void *at, size_t bytes, unsigned flags),
			attach(stream, at, flags))

API cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest) {
	called();
	if (least) *least = 0;
	if (greatest) *greatest = HIGHEST_PRIORITY;
	return cudaSuccess;
}

/* --- events ------------------------------------------------------------------------------------------------------- */

API cudaError_t cudaEventCreateWithFlags(cudaEvent_t *out, unsigned flags) {
	BEGIN_FOR(out, false);
	if (flags_are_wrong(flags, cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess) ||
		(flags & cudaEventInterprocess && !(flags & cudaEventDisableTiming)))
		return returned(cudaErrorInvalidValue);
	Event *e = xcalloc(1, sizeof *e);
	e->flags = flags;
	*out = (cudaEvent_t)e;
	handle_add(e, AN_EVENT);
	return returned(cudaSuccess);
}

FORWARD(cudaEventCreate, (cudaEvent_t * out), cudaEventCreateWithFlags(out, cudaEventDefault))

API cudaError_t cudaEventDestroy(cudaEvent_t event) {
	BEGIN_QUEUED;
	if (!is_handle(event, AN_EVENT)) return returned(no_such("event"));
	queue_run(((Event *)event)->record);
	handle_remove(event);
	vec_free(&((Event *)event)->seen);
	free(event);
	return returned(cudaSuccess);
}

/* A node of a graph may outlive its event. */
static cudaError_t record(void *data) {
	Event *e = *(Event **)data;
	if (!is_handle(e, AN_EVENT)) return cudaSuccess;
	e->recorded = true;
	e->at = clock_now();
	return cudaSuccess;
}

cudaError_t event_external(const Stream *s, Event *e, enum cudaGraphNodeType type) {
	if (!s->capture)
		because("cudaEventRecordExternal and cudaEventWaitExternal make nodes: the stream is not captured");
	if (!s->capture) return cudaErrorIllegalState;
	Event **data = xmalloc(sizeof *data);
	*data = e;
	graph_add(s->capture->graph, s->id, type == cudaGraphNodeTypeEventRecord ? record : NULL, data);
	vec_last(&s->capture->graph->operations)->type = type;
	return cudaSuccess;
}

API cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned flags) {
	Event *e = (Event *)event;
	BEGIN_QUEUED;
	if (!is_handle(e, AN_EVENT)) return returned(no_such("event"));
	const Stream *s = stream_of(stream);
	const cudaError_t refused = capture_refuses(stream_key(stream), CAPTURE_NODE);
	if (refused != cudaSuccess) return returned(refused);
	if (flags & cudaEventRecordExternal) return returned(event_external(s, e, cudaGraphNodeTypeEventRecord));
	e->capture = 0;
	if (s->capture) capture_record(e, s);
	if (s->capture) return returned(cudaSuccess);
	queue_run(e->record); /* an earlier record of it */
	Event **data = xmalloc(sizeof *data);
	*data = e;
	return returned(queue_add(stream_key(stream), 0, record, data, &e->record));
}
FORWARD(cudaEventRecord, (cudaEvent_t event, cudaStream_t stream),
		cudaEventRecordWithFlags(event, stream, cudaEventRecordDefault))

static cudaError_t refused_event(cudaEvent_t event, bool waits) {
	return is_handle(event, AN_EVENT) ? capture_refuses_event((const Event *)event, waits) : no_such("event");
}

API cudaError_t cudaEventSynchronize(cudaEvent_t event) {
	BEGIN_QUEUED;
	const cudaError_t refused = refused_event(event, true);
	if (refused != cudaSuccess) return returned(refused);
	queue_wait(((Event *)event)->record);
	return waited();
}

API cudaError_t cudaEventQuery(cudaEvent_t event) {
	BEGIN_QUEUED;
	const cudaError_t refused = refused_event(event, true);
	if (refused != cudaSuccess) return returned(refused);
	const uint64_t record = ((Event *)event)->record;
	const bool done = !queue_has(record);
	if (done) order_waited(record);
	return polled(done || queue_poll(NULL, record));
}

API cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t from, cudaEvent_t to) {
	const Event *f = (const Event *)from, *t = (const Event *)to;
	BEGIN_FOR(ms, false);
	cudaError_t refused = refused_event(from, false);
	if (refused == cudaSuccess) refused = refused_event(to, false);
	if (refused != cudaSuccess) return returned(refused);
	if (!order_is_waited(f->record) || !order_is_waited(t->record))
		mistake("nothing has waited for the %s event, and on a GPU the call then returns cudaErrorNotReady while work "
				"before the event is running: first call cudaEventSynchronize",
				order_is_waited(t->record) ? "first" : "second");
	queue_finish();
	if (!f->recorded || !t->recorded)
		because("the %s event was not recorded: call cudaEventRecord before", f->recorded ? "second" : "first");
	else if ((f->flags | t->flags) & cudaEventDisableTiming)
		because("an event was created with cudaEventDisableTiming");
	if (!f->recorded || !t->recorded || ((f->flags | t->flags) & cudaEventDisableTiming))
		return returned(cudaErrorInvalidResourceHandle);
	tell_time();
	*ms = (float)(t->at - f->at);
	return returned(cudaSuccess);
}
