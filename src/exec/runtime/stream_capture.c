/* Calls of the runtime that begin and end captures, and that make streams wait for events (capture.c). */
#include "exec/runtime/operations.h"

/* --- begin and end ------------------------------------------------------------------------------------------------ */

API cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode) {
	BEGIN_FOR(mode, false);
	if ((unsigned)*mode > cudaStreamCaptureModeRelaxed) return returned(cudaErrorInvalidValue);
	*mode = capture_mode(*mode);
	return returned(cudaSuccess);
}

/* The default stream begins and ends no capture, and must not be asked to while it waits for another stream's. */
static cudaError_t of_default(cudaError_t error, const char *why) {
	const cudaError_t waits = capture_waits_for_default(true);
	because("the default stream %s", why);
	return waits != cudaSuccess ? waits : error;
}

static cudaError_t begin(cudaStream_t stream, Graph *graph, enum cudaStreamCaptureMode mode) {
	BEGIN_QUEUED;
	Stream *s = stream_of(stream);
	if (s->id == USUAL_STREAM)
		return returned(of_default(cudaErrorStreamCaptureUnsupported, "cannot be captured: create a stream"));
	if (s->id == NO_STREAM) return returned(no_such("stream"));
	if ((unsigned)mode > cudaStreamCaptureModeRelaxed) return returned(cudaErrorInvalidValue);
	if (s->capture) return returned(cudaErrorIllegalState);
	capture_begin(s, graph, mode);
	return returned(cudaSuccess);
}

FORWARD(cudaStreamBeginCapture, (cudaStream_t stream, enum cudaStreamCaptureMode mode), begin(stream, NULL, mode))
#if CUDART_VERSION >= 12030
FORWARD(cudaStreamBeginCaptureToGraph,
		(cudaStream_t stream, cudaGraph_t graph, const cudaGraphNode_t *after, const cudaGraphEdgeData *edges, size_t n,
		 enum cudaStreamCaptureMode mode),
		graph ? begin(stream, (Graph *)graph, mode) : cudaErrorInvalidValue)
#endif

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

static cudaError_t refused_end(const Stream *s) {
	Capture *c = s->capture;
	if (s->id == USUAL_STREAM)
		return of_default(cudaErrorIllegalState, "is not captured: end the capture in the stream in which it began");
	if (!c) because("the stream is not captured");
	if (!c) return cudaErrorIllegalState;
	if (c->origin == s) return cudaSuccess;
	because("the capture began in another stream, and ends there");
	return capture_spoil(c, cudaErrorStreamCaptureUnmatched);
}

/* Why a capture that ends yields no graph. */
static cudaError_t without_graph(const Capture *c) {
	if (*c->spoiled) return capture_invalid(c);
	if (c->mode != cudaStreamCaptureModeRelaxed && !pthread_equal(c->thread, pthread_self())) {
		because("the capture began in another thread: use cudaStreamCaptureModeRelaxed to end it here");
		return cudaErrorStreamCaptureWrongThread;
	}
	if (is_joined(c)) return cudaSuccess;
	because("another stream was captured with this one, and this one does not wait for it: cudaEventRecord there and "
			"cudaStreamWaitEvent here, before cudaStreamEndCapture");
	return cudaErrorStreamCaptureUnjoined;
}

API cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *out) {
	BEGIN_QUEUED;
	if (out) *out = NULL;
	cudaError_t error = refused_end(stream_of(stream));
	if (error != cudaSuccess) return returned(error);
	Capture *c = stream_of(stream)->capture;
	error = without_graph(c);
	if (error == cudaSuccess && out) *out = (cudaGraph_t)c->graph;
	if (error != cudaSuccess && c->own) graph_drop(c->graph);
	capture_end(c);
	return returned(error);
}

static enum cudaStreamCaptureStatus status_of(const Stream *s) {
	return !s->capture            ? cudaStreamCaptureStatusNone
		   : *s->capture->spoiled ? cudaStreamCaptureStatusInvalidated
								  : cudaStreamCaptureStatusActive;
}

/* Why the state of a stream's capture cannot be told; cudaSuccess if it can. The default stream has none, and a program
 * that asks makes no capture invalid. */
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
	return capture_spoil(c, cudaErrorStreamCaptureIsolation);
}

/* A stream that waits for an event of a captured one is captured along. */
static cudaError_t wait_captured(Stream *s, const Event *e) {
	Capture *c = capture_of(e->capture), *own = s->capture;
	if (!c) return own ? isolated(own) : cudaSuccess; /* it is over: nothing to wait for */
	if (*c->spoiled) return capture_invalid(c);
	if (s->id == USUAL_STREAM) because("the default stream cannot be captured: use another one");
	if (s->id == USUAL_STREAM) return capture_spoil(c, cudaErrorStreamCaptureImplicit);
	if (own && own != c) {
		because("the event belongs to the capture of another graph");
		capture_spoil(own, cudaSuccess);
		return capture_spoil(c, cudaErrorStreamCaptureMerge);
	}
	if (!own) capture_join(c, s);
	capture_see(&s->seen, &e->seen);
	return cudaSuccess;
}

API cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
	BEGIN_QUEUED;
	if (!is_handle(event, AN_EVENT)) return returned(no_such("event"));
	Event *e = (Event *)event;
	Stream *s = stream_of(stream);
	const cudaError_t refused = capture_refuses(stream_key(stream), CAPTURE_NODE);
	if (refused != cudaSuccess) return returned(refused);
	if (flags & cudaEventWaitExternal) return returned(event_external(s, e, cudaGraphNodeTypeWaitEvent));
	if (e->capture) return returned(wait_captured(s, e));
	if (s->capture) return returned(e->recorded || e->record ? isolated(s->capture) : cudaSuccess);
	const uint64_t record = e->record;
	const bool waits = queue_has(record) || (record && order_matters());
	return returned(waits ? queue_add(stream_key(stream), record, NULL, NULL, NULL) : cudaSuccess);
}
