/* operations.h: captures. What a stream is given goes into a graph, and is not done: what would wait for it, or would
 * make it depend on what is done, is refused and makes the capture invalid, which its end reports. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/arena.h"
#include "exec/runtime/operations.h"

struct Capture {
	unsigned long long number;
	Graph *graph;
	bool own; /* the graph: made for it */
	enum cudaStreamCaptureMode mode;
	pthread_t thread; /* that began it */
	const Stream *origin;
	VEC(Stream *) streams; /* in which it is: the origin, and those that waited for an event of it */
	char spoiled[64];      /* by which call; "": it is valid */
};

static VEC(Capture *) captures;
static unsigned long long numbers;
static __thread enum cudaStreamCaptureMode thread_mode = cudaStreamCaptureModeGlobal;

Graph *capture_graph(const Stream *s) {
	return s->capture ? s->capture->graph : NULL;
}

static Capture *capture_of(unsigned long long number) {
	for (size_t i = 0; i < captures.len; i++)
		if (captures.data[i]->number == number) return captures.data[i];
	return NULL;
}

/* --- which streams ------------------------------------------------------------------------------------------------ */

static void join(Capture *c, Stream *s) {
	s->capture = c;
	s->seen.len = 0;
	vec_push(&c->streams, s);
}

static void end_capture(Capture *c) {
	for (size_t i = 0; i < c->streams.len; i++) c->streams.data[i]->capture = NULL;
	for (size_t i = 0; i < captures.len; i++)
		if (captures.data[i] == c) captures.data[i--] = captures.data[--captures.len];
	vec_free(&c->streams);
	free(c);
}

void capture_forget(Stream *s) {
	Capture *c = s->capture;
	vec_free(&s->seen);
	for (size_t i = 0; c && i < c->streams.len; i++)
		if (c->streams.data[i] == s) c->streams.data[i--] = c->streams.data[--c->streams.len];
	if (!c || c->origin != s) return;
	if (c->own) graph_drop(c->graph);
	end_capture(c);
}

/* --- what is before what ------------------------------------------------------------------------------------------ */

/* The nodes of a stream, up to which it is known that they are before what comes. */
static void see(SeenNodes *seen, unsigned long long stream, size_t nodes) {
	for (size_t i = 0; i < seen->len; i++) {
		if (seen->data[i].stream != stream) continue;
		if (seen->data[i].nodes < nodes) seen->data[i].nodes = nodes;
		return;
	}
	vec_push(seen, ((SeenNode){stream, nodes}));
}

static void see_all(SeenNodes *seen, const SeenNodes *more) {
	for (size_t i = 0; i < more->len; i++) see(seen, more->data[i].stream, more->data[i].nodes);
}

void capture_record(Event *e, const Stream *s) {
	e->capture = s->capture->number;
	e->seen.len = 0;
	see_all(&e->seen, &s->seen);
	see(&e->seen, s->id, s->capture->graph->operations.len);
}

static bool is_joined(const Capture *c) {
	for (size_t i = 0; i < c->graph->operations.len; i++) {
		const unsigned long long stream = c->graph->operations.data[i]->stream;
		bool seen = !stream || stream == c->origin->id;
		for (size_t k = 0; k < c->origin->seen.len; k++)
			seen |= c->origin->seen.data[k].stream == stream && c->origin->seen.data[k].nodes > i;
		if (!seen) return false;
	}
	return true;
}

/* --- what is refused ---------------------------------------------------------------------------------------------- */

static cudaError_t spoil(Capture *c, cudaError_t error) {
	Number places[EXEC_MOST_PLACES];
	if (!*c->spoiled) snprintf(c->spoiled, sizeof c->spoiled, "%s", find_call(places).call);
	return error;
}

static cudaError_t invalid(const Capture *c) {
	because("%s, which is not permitted while a stream is captured, has made the capture invalid", c->spoiled);
	return cudaErrorStreamCaptureInvalidated;
}

cudaError_t capture_waits_for(const Stream *s) {
	if (!s->capture) return cudaSuccess;
	if (*s->capture->spoiled) return invalid(s->capture);
	because(
		"the stream is captured: what it was given is done when its graph is launched, so wait after cudaGraphLaunch");
	return spoil(s->capture, cudaErrorStreamCaptureUnsupported);
}

cudaError_t capture_waits_for_event(const Event *e) {
	Capture *c = capture_of(e->capture);
	if (!e->capture) return cudaSuccess;
	because("the event was recorded in a captured stream: it is a part of the graph, and never happens by itself");
	return c ? spoil(c, cudaErrorCapturedEvent) : cudaErrorCapturedEvent;
}

cudaError_t capture_waits_for_device(void) {
	if (queue_runs_here() || !captures.len) return cudaSuccess;
	because("a stream is captured, and the device cannot be waited for before cudaStreamEndCapture");
	for (size_t i = 0; i < captures.len; i++) spoil(captures.data[i], cudaSuccess);
	return cudaErrorStreamCaptureUnsupported;
}

/* Is one of them a stream for which the default stream waits? */
static bool is_blocking(const Capture *c) {
	for (size_t i = 0; i < c->streams.len; i++)
		if (!(c->streams.data[i]->flags & cudaStreamNonBlocking)) return true;
	return false;
}

cudaError_t capture_waits_for_default(bool spoils) {
	cudaError_t error = cudaSuccess;
	for (size_t i = 0; i < captures.len && !queue_runs_here(); i++) {
		if (!is_blocking(captures.data[i])) continue;
		error = cudaErrorStreamCaptureImplicit;
		if (spoils) spoil(captures.data[i], error);
	}
	if (error != cudaSuccess)
		because(
			"the default stream waits for the stream that is captured: give that the work (cudaMemcpyAsync), or create "
			"it with cudaStreamNonBlocking");
	return error;
}

/* Forbids it: one of this thread, or a global one of another. */
static bool forbids(const Capture *c) {
	if (thread_mode == cudaStreamCaptureModeRelaxed) return false;
	if (pthread_equal(c->thread, pthread_self())) return c->mode != cudaStreamCaptureModeRelaxed;
	return c->mode == cudaStreamCaptureModeGlobal && thread_mode == cudaStreamCaptureModeGlobal;
}

cudaError_t capture_unsafe(const char *what) {
	cudaError_t error = cudaSuccess;
	for (size_t i = 0; i < captures.len && !queue_runs_here(); i++)
		if (forbids(captures.data[i])) error = spoil(captures.data[i], cudaErrorStreamCaptureUnsupported);
	if (error != cudaSuccess)
		because("%s is not permitted while a stream is captured: do it before cudaStreamBeginCapture, or capture with "
				"cudaStreamCaptureModeRelaxed",
				what);
	return error;
}

cudaError_t capture_refuses(StreamKey stream) {
	if (stream.graph) {
		for (size_t i = 0; i < captures.len; i++)
			if (captures.data[i]->graph == stream.graph && *captures.data[i]->spoiled) return invalid(captures.data[i]);
		return cudaSuccess;
	}
	return stream.id == USUAL_STREAM ? capture_waits_for_default(true) : cudaSuccess;
}

API cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode) {
	BEGIN_FOR(mode, false);
	if ((unsigned)*mode > cudaStreamCaptureModeRelaxed) return returned(cudaErrorInvalidValue);
	const enum cudaStreamCaptureMode before = thread_mode;
	thread_mode = *mode;
	*mode = before;
	return returned(cudaSuccess);
}

/* --- begin and end ------------------------------------------------------------------------------------------------ */

static cudaError_t begin(cudaStream_t stream, Graph *graph, enum cudaStreamCaptureMode mode) {
	BEGIN_QUEUED;
	Stream *s = stream_of(stream);
	if (s->id == USUAL_STREAM) because("the default stream cannot be captured: create a stream");
	if (s->id == USUAL_STREAM) return returned(cudaErrorStreamCaptureUnsupported);
	if (s->id == NO_STREAM) return returned(no_such("stream"));
	if ((unsigned)mode > cudaStreamCaptureModeRelaxed) return returned(cudaErrorInvalidValue);
	if (s->capture) return returned(cudaErrorIllegalState);
	Capture *c = xcalloc(1, sizeof *c);
	*c = (Capture){.number = ++numbers,
				   .graph = graph ? graph : graph_new(),
				   .own = !graph,
				   .mode = mode,
				   .thread = pthread_self(),
				   .origin = s};
	vec_push(&captures, c);
	join(c, s);
	return returned(cudaSuccess);
}

FORWARD(cudaStreamBeginCapture, (cudaStream_t stream, enum cudaStreamCaptureMode mode), begin(stream, NULL, mode))
#if CUDART_VERSION >= 12030
FORWARD(cudaStreamBeginCaptureToGraph,
		(cudaStream_t stream, cudaGraph_t graph, const cudaGraphNode_t *after, const cudaGraphEdgeData *edges, size_t n,
		 enum cudaStreamCaptureMode mode),
		graph ? begin(stream, (Graph *)graph, mode) : cudaErrorInvalidValue)
#endif

static cudaError_t refused_end(const Stream *s) {
	const Capture *c = s->capture;
	if (!c) because("the stream is not captured");
	if (!c) return cudaErrorIllegalState;
	if (c->origin != s) because("the capture began in another stream, and ends there");
	if (c->origin != s) return cudaErrorStreamCaptureUnmatched;
	const bool here = c->mode == cudaStreamCaptureModeRelaxed || pthread_equal(c->thread, pthread_self());
	if (!here) because("the capture began in another thread: use cudaStreamCaptureModeRelaxed to end it here");
	return here ? cudaSuccess : cudaErrorStreamCaptureWrongThread;
}

API cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *out) {
	BEGIN_QUEUED;
	if (out) *out = NULL;
	cudaError_t error = refused_end(stream_of(stream));
	if (error != cudaSuccess) return returned(error);
	Capture *c = stream_of(stream)->capture;
	if (*c->spoiled)
		error = invalid(c);
	else if (!is_joined(c)) {
		because(
			"another stream was captured with this one, and this one does not wait for it: cudaEventRecord there and "
			"cudaStreamWaitEvent here, before cudaStreamEndCapture");
		error = cudaErrorStreamCaptureUnjoined;
	}
	if (error == cudaSuccess && out) *out = (cudaGraph_t)c->graph;
	if (error != cudaSuccess && c->own) graph_drop(c->graph);
	end_capture(c);
	return returned(error);
}

static enum cudaStreamCaptureStatus status_of(const Stream *s) {
	return !s->capture            ? cudaStreamCaptureStatusNone
		   : *s->capture->spoiled ? cudaStreamCaptureStatusInvalidated
								  : cudaStreamCaptureStatusActive;
}

/* To ask for the default stream's spoils nothing. */
static cudaError_t not_asked(const Stream *s) {
	if (s->id == NO_STREAM) return no_such("stream");
	return s->id == USUAL_STREAM ? capture_waits_for_default(false) : cudaSuccess;
}

API cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *out) {
	BEGIN_FOR(out, false);
	const cudaError_t error = not_asked(stream_of(stream));
	if (error == cudaSuccess) *out = status_of(stream_of(stream));
	return returned(error);
}

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
	const Stream *s = stream_of(stream);
	const Graph *g = capture_graph(s);
	const cudaError_t error = out.status ? not_asked(s) : cudaErrorInvalidValue;
	if (error != cudaSuccess) return returned(error);
	*out.status = status_of(s);
	if (*out.status != cudaStreamCaptureStatusActive) return returned(cudaSuccess);
	const size_t n = g->operations.len;
	if (out.id) *out.id = s->capture->number;
	if (out.graph) *out.graph = (cudaGraph_t)s->capture->graph;
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

/* --- events ------------------------------------------------------------------------------------------------------- */

static cudaError_t isolated(Capture *c) {
	because("the stream is captured, and the event was recorded outside of that: nothing in the graph can wait for it");
	return spoil(c, cudaErrorStreamCaptureIsolation);
}

/* A stream that waits for an event of a captured one is captured along. */
static cudaError_t wait_captured(Stream *s, const Event *e) {
	Capture *c = capture_of(e->capture), *own = s->capture;
	if (!c) return own ? isolated(own) : cudaSuccess; /* it is over: nothing to wait for */
	if (*c->spoiled) return invalid(c);
	if (s->id == USUAL_STREAM) because("the default stream cannot be captured: use another one");
	if (s->id == USUAL_STREAM) return spoil(c, cudaErrorStreamCaptureImplicit);
	if (own && own != c) {
		because("the event belongs to the capture of another graph");
		spoil(own, cudaSuccess);
		return spoil(c, cudaErrorStreamCaptureMerge);
	}
	if (!own) join(c, s);
	see_all(&s->seen, &e->seen);
	return cudaSuccess;
}

API cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
	BEGIN_QUEUED;
	if (!is_handle(event)) return returned(no_such("event"));
	const Event *e = (const Event *)event;
	Stream *s = stream_of(stream);
	if (e->capture) return returned(wait_captured(s, e));
	if (s->capture && *s->capture->spoiled) return returned(invalid(s->capture));
	const bool there = e->recorded || e->record;
	if (s->capture) return returned(there && !(flags & cudaEventWaitExternal) ? isolated(s->capture) : cudaSuccess);
	const uint64_t record = e->record;
	const bool waits = queue_has(record) || (record && order_matters());
	return returned(waits ? queue_add(stream_key(stream), record, NULL, NULL, NULL) : cudaSuccess);
}
