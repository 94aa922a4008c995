/* operations.h: what is captured, and what that forbids. What a stream is given goes into a graph, and is not done:
 * what would wait for it, or would make it depend on what is done, is refused and makes the capture invalid, which its
 * end reports. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/arena.h"
#include "exec/runtime/operations.h"

static VEC(Capture *) captures;
static unsigned long long numbers;
static __thread enum cudaStreamCaptureMode thread_mode = cudaStreamCaptureModeGlobal;
static __thread bool in_operation;
__thread bool calls_host;

bool operation_is_here(void) {
	return in_operation;
}

bool operation_enter(bool inside) {
	const bool before = in_operation;
	in_operation = inside;
	return before;
}

Graph *capture_graph(const Stream *s) {
	return s->capture ? s->capture->graph : NULL;
}

Capture *capture_of(unsigned long long number) {
	for (size_t i = 0; i < captures.len; i++)
		if (captures.data[i]->number == number) return captures.data[i];
	return NULL;
}

/* --- which streams ------------------------------------------------------------------------------------------------ */

void capture_join(Capture *c, Stream *s) {
	s->capture = c;
	s->seen.len = 0;
	vec_push(&c->streams, s);
}

void capture_end(Capture *c) {
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
	capture_end(c);
}

Capture *capture_begin(Stream *s, Graph *graph, enum cudaStreamCaptureMode mode) {
	Capture *c = xcalloc(1, sizeof *c);
	*c = (Capture){.number = ++numbers,
				   .graph = graph ? graph : graph_new(),
				   .own = !graph,
				   .mode = mode,
				   .thread = pthread_self(),
				   .origin = s};
	vec_push(&captures, c);
	capture_join(c, s);
	return c;
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

void capture_see(SeenNodes *seen, const SeenNodes *more) {
	for (size_t i = 0; i < more->len; i++) see(seen, more->data[i].stream, more->data[i].nodes);
}

void capture_record(Event *e, const Stream *s) {
	e->capture = s->capture->number;
	e->seen.len = 0;
	capture_see(&e->seen, &s->seen);
	see(&e->seen, s->id, s->capture->graph->operations.len);
}

/* --- what is refused ---------------------------------------------------------------------------------------------- */

cudaError_t capture_spoil(Capture *c, cudaError_t error) {
	Number places[EXEC_MOST_PLACES];
	if (!*c->spoiled) snprintf(c->spoiled, sizeof c->spoiled, "%s", find_call(places).call);
	return error;
}

cudaError_t capture_invalid(const Capture *c) {
	because("%s, which is not permitted while a stream is captured, has made the capture invalid", c->spoiled);
	return cudaErrorStreamCaptureInvalidated;
}

cudaError_t capture_waits_for_device(void) {
	if (operation_is_here() || !captures.len) return cudaSuccess;
	because("a stream is captured, and the device cannot be waited for before cudaStreamEndCapture");
	for (size_t i = 0; i < captures.len; i++) capture_spoil(captures.data[i], cudaSuccess);
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
	for (size_t i = 0; i < captures.len && !operation_is_here(); i++) {
		if (!is_blocking(captures.data[i])) continue;
		error = cudaErrorStreamCaptureImplicit;
		if (spoils) capture_spoil(captures.data[i], error);
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

cudaError_t capture_unsafe(void) {
	Number places[EXEC_MOST_PLACES];
	cudaError_t error = cudaSuccess;
	for (size_t i = 0; i < captures.len && !operation_is_here(); i++)
		if (forbids(captures.data[i])) error = capture_spoil(captures.data[i], cudaErrorStreamCaptureUnsupported);
	if (error != cudaSuccess)
		because("%s is not permitted while a stream is captured: do it before cudaStreamBeginCapture, or capture with "
				"cudaStreamCaptureModeRelaxed",
				find_call(places).call);
	return error;
}

static cudaError_t refused_in(Capture *c, CaptureRule rule) {
	Number places[EXEC_MOST_PLACES];
	if (rule & CAPTURE_NODE) return *c->spoiled ? capture_invalid(c) : cudaSuccess;
	because("%s cannot be captured: what the stream is given is done when its graph is launched, so call it before "
			"cudaStreamBeginCapture or after cudaGraphLaunch",
			find_call(places).call);
	return capture_spoil(c, cudaErrorStreamCaptureUnsupported);
}

cudaError_t capture_refuses(StreamKey stream, CaptureRule rule) {
	for (size_t i = 0; stream.graph && i < captures.len; i++)
		if (captures.data[i]->graph == stream.graph) return refused_in(captures.data[i], rule);
	if (stream.graph) return cudaSuccess; /* nodes are added to it */
	const cudaError_t error = stream.id == USUAL_STREAM ? capture_waits_for_default(true) : cudaSuccess;
	return error == cudaSuccess && rule & CAPTURE_UNSAFE ? capture_unsafe() : error;
}

cudaError_t capture_refuses_event(const Event *e, bool waits) {
	Capture *c = capture_of(e->capture);
	if (!e->capture) return waits ? capture_unsafe() : cudaSuccess;
	because("the event was recorded in a captured stream: it is a part of the graph, and never happens by itself");
	return c && waits ? capture_spoil(c, cudaErrorCapturedEvent) : cudaErrorCapturedEvent;
}

enum cudaStreamCaptureMode capture_mode(enum cudaStreamCaptureMode of_this_thread) {
	const enum cudaStreamCaptureMode before = thread_mode;
	thread_mode = of_this_thread;
	return before;
}
