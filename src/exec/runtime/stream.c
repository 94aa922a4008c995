/* The runtime's functions for streams and events. See runtime.h: what a stream is given is done before the call
 * returns, or when the queue draws it. */
#include <pthread.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/ordered.h"
#include "base/vec.h"
#include "exec/runtime/operations.h"

enum { HIGHEST_PRIORITY = -5 };
#define SEPARATE_REMOTE                                                                                                \
	{ .default_ = 0, .remote = 1 } /* of memory synchronization domains */

typedef struct {
	unsigned flags;
	int priority;
	unsigned long long id;
	Graph *graph;               /* it is captured; else NULL */
	unsigned long long capture; /* which one that is */
	struct cudaAccessPolicyWindow window;
	enum cudaSynchronizationPolicy waiting;
	cudaLaunchMemSyncDomain domain;
	cudaLaunchMemSyncDomainMap domains;
} Stream;

static VEC(Stream *) streams; /* those that exist; a thread's own one from its first capture on */
static _Atomic unsigned long long ids = EXEC_FIRST_STREAM;
static __thread Graph *all_into; /* of nodes that are added */
static unsigned long long captures;

/* Those that exist: a program may use one that it has destroyed. */
static OrderedMap handles;

typedef struct {
	unsigned flags;
	bool recorded;
	uint64_t record;            /* the operation that records it; 0: it was done at once */
	unsigned long long capture; /* of the stream that it was recorded in; 0: none */
	double at;
} Event;

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
	vec_push(&streams, s);
	*out = (cudaStream_t)s;
	*ordered_at(&handles, (uintptr_t)s) = 1;
	order_stream(stream_key(*out));
	return returned(cudaSuccess);
}

FORWARD(cudaStreamCreateWithFlags, (cudaStream_t * out, unsigned flags), cudaStreamCreateWithPriority(out, flags, 0))
FORWARD(cudaStreamCreate, (cudaStream_t * out), cudaStreamCreateWithPriority(out, cudaStreamDefault, 0))

static void forget(const Stream *stream) {
	for (size_t i = 0; i < streams.len; i++)
		if (streams.data[i] == stream) streams.data[i--] = streams.data[--streams.len];
}

/* --- cudaStreamPerThread ------------------------------------------------------------------------------------------ */

static __thread Stream *own; /* of this thread */
static pthread_key_t own_key;
static pthread_once_t own_once = PTHREAD_ONCE_INIT;

/* The thread ends; what its stream was given goes on. */
static void drop_own(void *stream) {
	lock();
	forget(stream);
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

static bool is_handle(const void *handle) {
	const OrderedEntry *e = ordered_floor(&handles, (uintptr_t)handle);
	return e && e->key == (uintptr_t)handle;
}

static Stream *stream_of(cudaStream_t stream) {
	static Stream usual = {.id = USUAL_STREAM, .waiting = cudaSyncPolicyAuto, .domains = SEPARATE_REMOTE};
	static Stream none = {.id = NO_STREAM};
	if (stream == cudaStreamPerThread) return own_stream();
	if (stream == NULL || stream == cudaStreamLegacy) return &usual;
	return is_handle(stream) ? (Stream *)stream : &none;
}

StreamKey stream_key(cudaStream_t stream) {
	const Stream *s = stream_of(stream);
	return (StreamKey){s->id, !(s->flags & cudaStreamNonBlocking), all_into ? all_into : s->graph};
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
	forget((Stream *)stream);
	ordered_remove(&handles, (uintptr_t)stream);
	free(stream); /* what it was given goes on */
	return returned(cudaSuccess);
}

#define ANSWER_OF_STREAM(name, type, what)                                                                             \
	API cudaError_t name(cudaStream_t stream, type *out) {                                                             \
		BEGIN_FOR(out, false);                                                                                         \
		if (is_none(stream)) return returned(no_such("stream"));                                                       \
		*out = what;                                                                                                   \
		return returned(cudaSuccess);                                                                                  \
	}
ANSWER_OF_STREAM(cudaStreamGetFlags, unsigned, stream_of(stream)->flags)
ANSWER_OF_STREAM(cudaStreamGetPriority, int, stream_of(stream)->priority)
ANSWER_OF_STREAM(cudaStreamGetId, unsigned long long, stream_of(stream)->id)

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
	if (is_none(stream)) return returned(no_such("stream"));
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
	if (is_none(stream)) return returned(no_such("stream"));
	const StreamKey key = stream_key(stream);
	return polled(queue_poll(&key, 0));
}

/* --- attributes: kept for the program, they change no result ------------------------------------------------------ */

static bool is_window(const struct cudaAccessPolicyWindow *w) {
	return w->hitRatio >= 0 && w->hitRatio <= 1 && w->missProp != cudaAccessPropertyPersisting;
}

API cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaStreamAttrID attribute,
									   const cudaStreamAttrValue *value) {
	BEGIN_QUEUED;
	Stream *s = stream_of(stream);
	if (!value) return returned(cudaErrorInvalidValue);
	switch (attribute) {
	case cudaLaunchAttributeAccessPolicyWindow:
		if (!is_window(&value->accessPolicyWindow)) return returned(cudaErrorInvalidValue);
		s->window = value->accessPolicyWindow;
		break;
	case cudaLaunchAttributeSynchronizationPolicy: s->waiting = value->syncPolicy; break;
	case cudaLaunchAttributePriority: s->priority = priority_of(value->priority); break;
	case cudaLaunchAttributeMemSyncDomain: s->domain = value->memSyncDomain; break;
	case cudaLaunchAttributeMemSyncDomainMap: s->domains = value->memSyncDomainMap; break;
	default: return returned(cudaErrorInvalidValue);
	}
	return returned(cudaSuccess);
}

API cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaStreamAttrID attribute, cudaStreamAttrValue *value) {
	BEGIN_QUEUED;
	const Stream *s = stream_of(stream);
	if (!value) return returned(cudaErrorInvalidValue);
	switch (attribute) {
	case cudaLaunchAttributeAccessPolicyWindow: value->accessPolicyWindow = s->window; break;
	case cudaLaunchAttributeSynchronizationPolicy: value->syncPolicy = s->waiting; break;
	case cudaLaunchAttributePriority: value->priority = s->priority; break;
	case cudaLaunchAttributeMemSyncDomain: value->memSyncDomain = s->domain; break;
	case cudaLaunchAttributeMemSyncDomainMap: value->memSyncDomainMap = s->domains; break;
	default: return returned(cudaErrorInvalidValue);
	}
	return returned(cudaSuccess);
}

API cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from) {
	BEGIN_QUEUED;
	Stream *t = stream_of(to);
	const Stream *f = stream_of(from);
	t->window = f->window;
	t->waiting = f->waiting;
	t->priority = f->priority;
	t->domain = f->domain;
	t->domains = f->domains;
	return returned(cudaSuccess);
}

/* --- capture: what a stream is given goes into a graph (graph.c) -------------------------------------------------- */

static void capture_into(Stream *s, Graph *graph, unsigned long long capture) {
	s->graph = graph;
	s->capture = capture;
	forget(s);
	vec_push(&streams, s);
}

static cudaError_t begin_capture(cudaStream_t stream, Graph *graph) {
	BEGIN_QUEUED;
	if (is_usual(stream)) return returned(cudaErrorStreamCaptureUnsupported);
	if (is_none(stream)) return returned(no_such("stream"));
	Stream *s = stream_of(stream);
	if (s->graph) return returned(cudaErrorIllegalState);
	capture_into(s, graph ? graph : graph_new(), ++captures);
	return returned(cudaSuccess);
}

FORWARD(cudaStreamBeginCapture, (cudaStream_t stream, enum cudaStreamCaptureMode mode), begin_capture(stream, NULL))
#if CUDART_VERSION >= 12030
FORWARD(cudaStreamBeginCaptureToGraph,
		(cudaStream_t stream, cudaGraph_t graph, const cudaGraphNode_t *after, const cudaGraphEdgeData *edges, size_t n,
		 enum cudaStreamCaptureMode mode),
		graph ? begin_capture(stream, (Graph *)graph) : cudaErrorInvalidValue)
#endif

API cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *out) {
	BEGIN_QUEUED;
	Graph *graph = stream_of(stream)->graph;
	if (!graph) return returned(cudaErrorIllegalState);
	for (size_t i = 0; i < streams.len; i++)
		if (streams.data[i]->graph == graph) streams.data[i]->graph = NULL;
	if (out) *out = (cudaGraph_t)graph;
	return returned(cudaSuccess);
}

ANSWER_OF_STREAM(cudaStreamIsCapturing, enum cudaStreamCaptureStatus,
				 stream_of(stream)->graph ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone)

typedef struct {
	enum cudaStreamCaptureStatus *status;
	unsigned long long *id; /* this and those below: NULL where not wanted */
	cudaGraph_t *graph;
	const cudaGraphNode_t **after;
	const void **edges;
	size_t *nafter;
} CaptureInfo;

/* The next node comes after the last one: graphs have their nodes in one order. */
static cudaError_t capture_info(cudaStream_t stream, CaptureInfo out) {
	static const uint64_t plain_edge = 0; /* cudaGraphEdgeData, which CUDA 12.0 does not know */
	BEGIN_QUEUED;
	const Graph *g = stream_of(stream)->graph;
	if (!out.status) return returned(cudaErrorInvalidValue);
	*out.status = g ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
	if (!g) return returned(cudaSuccess);
	const size_t n = g->operations.len;
	if (out.id) *out.id = stream_of(stream)->capture;
	if (out.graph) *out.graph = (cudaGraph_t)stream_of(stream)->graph;
	if (out.after) *out.after = n ? &g->operations.data[n - 1]->node : NULL;
	if (out.edges) *out.edges = n ? &plain_edge : NULL;
	if (out.nafter) *out.nafter = n > 0;
	return returned(cudaSuccess);
}

/* Under names of their own: CUDA 12 declares the second kind and the third, CUDA 13 has the third's as the first. */
#define CAPTURE_INFO(name, symbol, stream)                                                                             \
	API cudaError_t name##_2(cudaStream_t given, enum cudaStreamCaptureStatus *status, unsigned long long *id,         \
							 cudaGraph_t *graph, const cudaGraphNode_t **after,                                        \
							 size_t *nafter) __asm__("cudaStreamGetCaptureInfo_v2" symbol);                            \
	cudaError_t name##_2(cudaStream_t given, enum cudaStreamCaptureStatus *status, unsigned long long *id,             \
						 cudaGraph_t *graph, const cudaGraphNode_t **after, size_t *nafter) {                          \
		return capture_info(stream, (CaptureInfo){status, id, graph, after, NULL, nafter});                            \
	}                                                                                                                  \
	API cudaError_t name##_3(cudaStream_t given, enum cudaStreamCaptureStatus *status, unsigned long long *id,         \
							 cudaGraph_t *graph, const cudaGraphNode_t **after, const void **edges,                    \
							 size_t *nafter) __asm__("cudaStreamGetCaptureInfo_v3" symbol);                            \
	cudaError_t name##_3(cudaStream_t given, enum cudaStreamCaptureStatus *status, unsigned long long *id,             \
						 cudaGraph_t *graph, const cudaGraphNode_t **after, const void **edges, size_t *nafter) {      \
		return capture_info(stream, (CaptureInfo){status, id, graph, after, edges, nafter});                           \
	}                                                                                                                  \
	extern __typeof(name##_3) name##_13 __asm__("cudaStreamGetCaptureInfo" symbol)                                     \
		__attribute__((alias("cudaStreamGetCaptureInfo_v3" symbol), visibility("default")));
CAPTURE_INFO(info, "", given)
CAPTURE_INFO(own_info, "_ptsz", given ? given : cudaStreamPerThread)

/* A stream that waits for an event of a captured one is captured along. */
static cudaError_t join_capture(cudaStream_t stream, unsigned long long capture) {
	if (is_usual(stream)) return cudaErrorStreamCaptureImplicit;
	for (size_t i = 0; i < streams.len; i++) {
		const Stream *other = streams.data[i];
		if (!other->graph || other->capture != capture) continue;
		capture_into(stream_of(stream), other->graph, capture);
		return cudaSuccess;
	}
	return cudaSuccess; /* it is over: nothing to wait for */
}

API cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
	BEGIN_QUEUED;
	if (!is_handle(event)) return returned(no_such("event"));
	const Event *e = (const Event *)event;
	if (e->capture) return returned(join_capture(stream, e->capture));
	const uint64_t record = e->record;
	const bool waits = queue_has(record) || (record && order_matters());
	return returned(waits ? queue_add(stream_key(stream), record, NULL, NULL, NULL) : cudaSuccess);
}

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
	early_end(); /* what it uses was to be done before it */
	unlock();
	if (c->callback)
		c->callback(c->stream, cudaSuccess, c->user);
	else
		c->function(c->user);
	lock();
	order_waited(now); /* it may have told the program */
	return cudaSuccess;
}

static cudaError_t add_host_call(cudaStream_t stream, HostCall call) {
	BEGIN_QUEUED;
	if (!call.callback && !call.function) because("the function is a null pointer");
	if (!call.callback && !call.function) return returned(cudaErrorInvalidValue);
	HostCall *data = xmalloc(sizeof *data);
	*data = call;
	return returned(queue_add(stream_key(stream), 0, call_host, data, NULL));
}

FORWARD(cudaStreamAddCallback, (cudaStream_t stream, cudaStreamCallback_t callback, void *user, unsigned flags),
		add_host_call(stream, (HostCall){.stream = stream, .callback = callback, .user = user}))
FORWARD(cudaLaunchHostFunc, (cudaStream_t stream, cudaHostFn_t function, void *user),
		add_host_call(stream, (HostCall){.stream = stream, .function = function, .user = user}))

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
	*ordered_at(&handles, (uintptr_t)e) = 1;
	return returned(cudaSuccess);
}

FORWARD(cudaEventCreate, (cudaEvent_t * out), cudaEventCreateWithFlags(out, cudaEventDefault))

API cudaError_t cudaEventDestroy(cudaEvent_t event) {
	BEGIN_QUEUED;
	if (!is_handle(event)) return returned(no_such("event"));
	queue_run(((Event *)event)->record);
	ordered_remove(&handles, (uintptr_t)event);
	free(event);
	return returned(cudaSuccess);
}

static cudaError_t record(void *data) {
	Event *e = *(Event **)data;
	e->recorded = true;
	e->at = clock_now();
	return cudaSuccess;
}

API cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
	Event *e = (Event *)event;
	BEGIN_QUEUED;
	if (!is_handle(e)) return returned(no_such("event"));
	const Stream *s = stream_of(stream);
	e->capture = s->graph ? s->capture : 0;
	if (s->graph) return returned(cudaSuccess);
	queue_run(e->record); /* an earlier record of it */
	Event **data = xmalloc(sizeof *data);
	*data = e;
	return returned(queue_add(stream_key(stream), 0, record, data, &e->record));
}
ALSO(cudaEventRecordWithFlags, cudaEventRecord)

API cudaError_t cudaEventSynchronize(cudaEvent_t event) {
	BEGIN_QUEUED;
	if (!is_handle(event)) return returned(no_such("event"));
	queue_wait(((Event *)event)->record);
	return waited();
}

API cudaError_t cudaEventQuery(cudaEvent_t event) {
	BEGIN_QUEUED;
	if (!is_handle(event)) return returned(no_such("event"));
	const uint64_t record = ((Event *)event)->record;
	const bool done = !queue_has(record);
	if (done) order_waited(record);
	return polled(done || queue_poll(NULL, record));
}

API cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t from, cudaEvent_t to) {
	const Event *f = (const Event *)from, *t = (const Event *)to;
	BEGIN_FOR(ms, true);
	if (!is_handle(f) || !is_handle(t)) return returned(no_such("event"));
	if (!f->recorded || !t->recorded || ((f->flags | t->flags) & cudaEventDisableTiming))
		return returned(cudaErrorInvalidResourceHandle);
	tell_time();
	*ms = (float)(t->at - f->at);
	return returned(cudaSuccess);
}
