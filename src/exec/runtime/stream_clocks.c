/* Which operations of streams are before which, by what CUDA says and the program waits for: for the checker, which
 * compares what others touch (exec/unordered.h). An operation has a clock: of each stream, by its id, the number of the
 * last operation that is before it. Threads of the program are taken for ordered, as their calls came. */
#include <stdlib.h>

#include "base/map.h"
#include "base/vec.h"
#include "exec/runtime/runtime.h"

typedef VEC(Number) Clock;

static Clock last[EXEC_MOST_STREAMS];    /* of each stream's last operation, itself included */
static bool blocking[EXEC_MOST_STREAMS]; /* these and the default stream wait for each other */
static Clock waited;                     /* what the program has waited for */
static unsigned long long streams; /* the last id, + 1; 0: none was created; beyond the limit nothing is compared */
static VEC(Clock) clocks;          /* of operations */
static NumberMap index_of;         /* in clocks, by number, + 1 */
static uint64_t now;               /* the operation that is done; 0: none */
static uint64_t latest;            /* the stream that it is, or was, of */
static bool hidden;                /* what is touched is no operation's */
static bool told;                  /* gpulab takes what is touched for an operation's */

void order_stream(StreamKey stream) {
	if (stream.id >= streams) streams = stream.id + 1;
	if (stream.id < EXEC_MOST_STREAMS) blocking[stream.id] = stream.blocking;
}

static bool is_kept(void) {
	return streams <= EXEC_MOST_STREAMS && facts()->check;
}

bool order_matters(void) {
	return streams && is_kept();
}

static void reach(Clock *to, size_t stream, uint64_t number) {
	while (to->len <= stream) vec_push(to, (Number){0});
	if (number > to->data[stream].value) to->data[stream].value = number;
}

static void join(Clock *to, const Clock *from) {
	for (size_t i = 0; i < from->len; i++) reach(to, i, from->data[i].value);
}

static Clock *clock_of(uint64_t number) {
	const uint64_t index = number_map_get(&index_of, number);
	return index ? &clocks.data[index - 1] : NULL;
}

/* What the stream's next operation is after. */
static void join_stream(Clock *to, StreamKey stream) {
	join(to, &last[stream.id]);
	if (stream.id != USUAL_STREAM && stream.blocking) join(to, &last[USUAL_STREAM]);
	for (unsigned long long i = 0; stream.id == USUAL_STREAM && i < streams; i++)
		if (blocking[i]) join(to, &last[i]);
}

void order_add(StreamKey stream, uint64_t number, uint64_t after) {
	if (stream.id != USUAL_STREAM) order_stream(stream); /* a thread's own was not created */
	if (!is_kept()) return;
	Clock own = {0};
	const Clock *other = clock_of(after);
	join(&own, &waited);
	join_stream(&own, stream);
	if (other) join(&own, other);
	reach(&own, stream.id, number);
	last[stream.id].len = 0;
	join(&last[stream.id], &own);
	vec_push(&clocks, own);
	*number_map_at(&index_of, number) = clocks.len;
}

void order_begin(StreamKey stream, uint64_t number) {
	const Clock *own = order_matters() ? clock_of(number) : NULL;
	now = number;
	latest = stream.id;
	if (!own) {
		if (told) ask(EXEC_operation, &(ExecOperation){0}, NULL); /* too many streams: no operation's any more */
		told = false;
		return;
	}
	told = true;
	ask(EXEC_operation,
		&(ExecOperation){stream.id, number, own->data, (uint32_t)own->len, waited.data, (uint32_t)waited.len}, NULL);
}

void order_hide(bool hide) {
	hidden = hide;
}

/* Work that was left waiting is done in another call than the one that it is of. */
void order_touch(const Touched *touched, uint32_t n, const char *what) {
	Number places[EXEC_MOST_PLACES];
	ExecTouched t = {{"", "", places, 0}, touched, n, what};
	if (!facts()->streams) t.by = find_call(places);
	if (now && told && !hidden) ask(EXEC_touched, &t, NULL);
}

/* Events are asked for by their operations' numbers later, others are not. */
void order_end(uint64_t number, bool is_event) {
	Clock *own = clock_of(number);
	now = 0;
	if (own && !is_event) vec_free(own);
}

uint64_t order_now(void) {
	return now;
}

static void (*after_wait)(bool all);

void order_after_wait(void (*then)(bool all)) {
	after_wait = then;
}

void order_host_waited(bool all) {
	if (after_wait) after_wait(all);
}

void order_waited(uint64_t number) {
	const Clock *other = clock_of(number);
	if (other) join(&waited, other);
	order_host_waited(false);
}

void order_waited_for(const StreamKey *stream) {
	if (is_kept()) {
		join(&waited, &last[stream ? stream->id : USUAL_STREAM]);
		for (unsigned long long i = 0; !stream && i < streams; i++) join(&waited, &last[i]);
		if (stream) join_stream(&waited, *stream);
	}
	order_host_waited(!stream);
}

void order_latest(uint64_t *stream, uint64_t *number) {
	*stream = latest;
	*number = is_kept() && latest < last[latest].len ? last[latest].data[latest].value : 0;
}

bool order_is_past(uint64_t stream, uint64_t number) {
	return !is_kept() || (stream < waited.len && waited.data[stream].value >= number);
}

bool order_is_waited(uint64_t number) {
	const Clock *own = clock_of(number);
	for (size_t i = 0; own && i < own->len; i++)
		if (own->data[i].value == number) return i < waited.len && waited.data[i].value >= number;
	return true;
}
