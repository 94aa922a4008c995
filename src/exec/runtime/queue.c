/* Work in streams: done before its call returns, or, where gpulab asks for it, in another order that CUDA allows too
 * (runtime.h). Each operation waits in a list, in the order of the calls. One whose stream and events allow it is
 * chosen whenever the program waits for something: with the seeds 1 and 2 of the stream that was created last or first,
 * so that one of the two shows that an event between two streams is missing; with others it is drawn. */
#include <assert.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/vec.h"
#include "exec/runtime/runtime.h"

typedef struct {
	uint64_t number;
	StreamKey stream;
	uint64_t after; /* an operation that it waits for; 0: none */
	bool is_event;  /* its number is asked for later */
	Work work;
	void *data;
} Waiting;

static VEC(Waiting) waiting; /* in the order of the calls */
static uint64_t numbers, draws;
static uint64_t delay;   /* 1 to 5: how long work is left waiting while the program does not wait for it */
static cudaError_t late; /* of an operation whose call has returned */
static bool running;

/* A linear congruential generator: the same seed, the same order. Neighboring seeds begin far from each other. */
static uint64_t draw(uint64_t below) {
	if (!draws) draws = facts()->streams * UINT64_C(0x9e3779b97f4a7c15);
	draws = draws * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	assert(below);
	return (draws >> 33) % below;
}

/* Does b wait for a, which was called before? The default stream waits for all streams but those created
 * non-blocking, and these for it. */
static bool orders(const Waiting *a, const Waiting *b) {
	if (a->number == b->after || a->stream.id == b->stream.id) return true;
	const bool usual = a->stream.id == USUAL_STREAM || b->stream.id == USUAL_STREAM;
	return usual && a->stream.blocking && b->stream.blocking;
}

static bool is_ready(size_t i) {
	for (size_t k = 0; k < i; k++)
		if (orders(&waiting.data[k], &waiting.data[i])) return false;
	return true;
}

enum { LAST_STREAM_FIRST = 1, FIRST_STREAM_FIRST };

static bool goes_before(size_t a, size_t b) {
	const unsigned long long x = waiting.data[a].stream.id, y = waiting.data[b].stream.id;
	return facts()->streams == LAST_STREAM_FIRST ? x > y : x < y;
}

static size_t choose(void) {
	const bool drawn = facts()->streams > FIRST_STREAM_FIRST;
	size_t ready = 0, chosen = 0;
	for (size_t i = 0; i < waiting.len; i++) {
		if (!is_ready(i)) continue;
		ready++;
		const bool better = drawn ? draw(ready) == 0 /* each with the same chance */ : goes_before(i, chosen);
		if (ready == 1 || better) chosen = i;
	}
	assert(ready); /* the oldest waits for none */
	return chosen;
}

static cudaError_t run(const Waiting *w) {
	order_begin(w->stream, w->number);
	const bool inside = operation_enter(true);
	const cudaError_t error = w->work ? w->work(w->data) : cudaSuccess;
	operation_enter(inside);
	order_end(w->number, w->is_event);
	return error;
}

static void run_one(void) {
	assert(waiting.len && !running);
	const size_t i = choose();
	const Waiting w = waiting.data[i];
	running = true;
	const cudaError_t error = run(&w);
	running = false;
	if (error != cudaSuccess && late == cudaSuccess) late = error;
	free(w.data);
	for (size_t k = 0; k < waiting.len; k++) { /* it may have moved: a host function runs without the lock */
		if (waiting.data[k].number != w.number) continue;
		for (; k + 1 < waiting.len; k++) waiting.data[k] = waiting.data[k + 1];
		waiting.len--;
	}
}

/* A host function of another thread's turn has the lock to itself, in effect. */
static void wait_for_turn(void) {
	while (running) {
		unlock();
		sched_yield();
		lock();
	}
}

static bool must_wait(const Waiting *w, const StreamKey *stream, uint64_t number) {
	if (number) return w->number == number;
	if (!stream || w->stream.id == stream->id) return true;
	return stream->id == USUAL_STREAM && w->stream.blocking;
}

static bool is_done(const StreamKey *stream, uint64_t number) {
	for (size_t i = 0; i < waiting.len; i++)
		if (must_wait(&waiting.data[i], stream, number)) return false;
	return true;
}

static void run_until(const StreamKey *stream, uint64_t number) {
	if (operation_is_here()) return;
	wait_for_turn();
	while (!is_done(stream, number)) run_one();
}

void queue_finish(void) {
	if (operation_is_here()) return;
	if (waiting.len) run_until(NULL, 0);
	order_waited_for(NULL);
}

void queue_wait_stream(StreamKey stream) {
	printed_comes_out();
	run_until(&stream, 0);
	order_waited_for(&stream);
}

void queue_run(uint64_t number) {
	if (number) run_until(NULL, number);
}

void queue_wait(uint64_t number) {
	queue_run(number);
	order_waited(number);
	printed_comes_out();
}

bool queue_poll(const StreamKey *stream, uint64_t number) {
	if (waiting.len && !operation_is_here() && !running) run_one();
	if (!is_done(stream, number)) return false;
	if (stream)
		order_waited_for(stream);
	else
		order_waited(number);
	return true;
}

bool queue_has(uint64_t number) {
	return number && !is_done(NULL, number);
}

cudaError_t queue_late(void) {
	const cudaError_t error = late;
	late = cudaSuccess;
	return error;
}

cudaError_t queue_add(StreamKey stream, uint64_t after, Work work, void *data, uint64_t *number) {
	if (number) *number = 0;
	if (stream.id == NO_STREAM) {
		free(data);
		return no_such("stream");
	}
	const cudaError_t refused = capture_refuses(stream, CAPTURE_NODE);
	if (refused != cudaSuccess) {
		free(data);
		return refused;
	}
	if (stream.graph) {
		graph_add(stream.graph, stream.id, work, data);
		return cudaSuccess;
	}
	const Waiting w = {++numbers, stream, after, number != NULL, work, data};
	if (number) *number = w.number;
	order_add(stream, w.number, after);
	if (!facts()->streams) {
		const cudaError_t error = run(&w);
		free(data);
		return error;
	}
	assert(w.after < w.number && (!waiting.len || vec_last(&waiting).number < w.number));
	vec_push(&waiting, w);
	if (!delay) delay = facts()->streams <= FIRST_STREAM_FIRST || draw(2) ? 5 : 1 + draw(4);
	while (waiting.len && !running && draw(5) >= delay) run_one();
	return cudaSuccess;
}

/* Where the program waits, a call in an operation, as of a graph's node, is a part of that operation. */
cudaError_t queue_do(StreamKey stream, bool waits, Work work, const void *data, size_t bytes) {
	uint64_t number;
	void *own = memcpy(xmalloc(bytes), data, bytes);
	if (waits && operation_is_here()) {
		const cudaError_t error = work(own);
		free(own);
		return error;
	}
	if (waits) stream.graph = NULL;
	const cudaError_t error = queue_add(stream, 0, work, own, &number);
	if (waits)
		queue_wait(number);
	else
		queue_run(number);
	return error == cudaSuccess && number ? queue_late() : error;
}

cudaError_t begin_call(bool finish) {
	cudaError_t error;
	lock();
	facts();
	if (calls_host)
		mistake("a function of a stream calls the runtime, which CUDA does not permit: the call may return "
				"cudaErrorNotPermitted, or wait forever");
	clock_enter(finish);
	if (finish && !is_forked()) queue_finish();
	return device_lost(&error) ? error : cudaSuccess;
}

/* A program that ends without waiting gets its output all the same, as without this order. */
__attribute__((destructor)) static void finish(void) {
	if (!waiting.len || is_forked()) return;
	lock();
	queue_finish();
	unlock();
}
