/* Work in streams: done before its call returns, or, where gpulab asks for it, in another order that CUDA allows too
 * (runtime.h). Each operation waits in a list, in the order of the calls. One whose stream and events allow it is drawn
 * whenever the program waits for something. */
#include <sched.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/vec.h"
#include "exec/runtime/runtime.h"

typedef struct {
	uint64_t number;
	StreamKey stream;
	uint64_t after; /* an operation that it waits for; 0: none */
	Work work;
	void *data;
} Waiting;

static VEC(Waiting) waiting; /* in the order of the calls */
static uint64_t numbers, draws;
static uint64_t delay;   /* 1 to 5: how long work is left waiting while the program does not wait for it */
static cudaError_t late; /* of an operation whose call has returned */
static bool running;
static __thread bool running_here;

/* A linear congruential generator: the same seed, the same order. Neighboring seeds begin far from each other. */
static uint64_t draw(uint64_t below) {
	if (!draws) draws = facts()->streams * UINT64_C(0x9e3779b97f4a7c15);
	draws = draws * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
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

static size_t choose(void) {
	size_t ready = 0, chosen = 0;
	for (size_t i = 0; i < waiting.len; i++)
		if (is_ready(i) && draw(++ready) == 0) chosen = i; /* each with the same chance */
	return chosen;
}

static void run_one(void) {
	const size_t i = choose();
	const Waiting w = waiting.data[i];
	running = running_here = true;
	const cudaError_t error = w.work ? w.work(w.data) : cudaSuccess;
	running = running_here = false;
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
	if (running_here) return; /* a host function: CUDA forbids it to wait */
	wait_for_turn();
	while (!is_done(stream, number)) run_one();
}

void queue_finish(void) {
	if (waiting.len) run_until(NULL, 0);
}

void queue_wait_stream(StreamKey stream) {
	run_until(&stream, 0);
}

void queue_wait(uint64_t number) {
	if (number) run_until(NULL, number);
}

bool queue_poll(const StreamKey *stream, uint64_t number) {
	if (running_here || running) return is_done(stream, number);
	if (waiting.len) run_one();
	return is_done(stream, number);
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
	if (stream.graph) {
		graph_add(stream.graph, work, data);
		return cudaSuccess;
	}
	if (!facts()->streams) {
		const cudaError_t error = work ? work(data) : cudaSuccess;
		free(data);
		return error;
	}
	vec_push(&waiting, (Waiting){++numbers, stream, after, work, data});
	if (number) *number = numbers;
	if (!delay) delay = draw(2) ? 5 : 1 + draw(4);
	while (waiting.len && !running && draw(5) >= delay) run_one();
	return cudaSuccess;
}

/* A program that ends without waiting gets its output all the same, as without this order. */
__attribute__((destructor)) static void finish(void) {
	if (!waiting.len) return;
	lock();
	queue_finish();
	unlock();
}
