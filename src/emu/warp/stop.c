/* What ends a launch before its blocks have ended: a fault, a limit, a cancel. */
#include <time.h>

#include "emu/warp/run.h"

enum {
	FIRST_PACE = 64,       /* basic blocks */
	MOST_PACE = 4 * SLICE, /* the same */
	LOOK_NS = 2000000,     /* between two looks at the clock, or */
	LOOKS = 32,            /* so many within the limit */
	LEAST_LOOK_NS = 20000, /* a look takes a hundredth of it */
};

static uint64_t nanoseconds_of(clockid_t clock) {
	struct timespec t;
	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

uint64_t clock_ns(void) {
	return nanoseconds_of(CLOCK_MONOTONIC);
}

bool run_stop(Run *run, StopReason reason) {
	int expected = STOP_NO;
	return atomic_compare_exchange_strong(&run->end.stop, &expected, reason);
}

/* --- the limit ---------------------------------------------------------------------------------------------------- */

void worker_begins(Worker *k) {
	atomic_fetch_add(&k->run->end.busy, 1);
	k->seen_ns = nanoseconds_of(CLOCK_THREAD_CPUTIME_ID);
	k->pace = FIRST_PACE;
	k->unseen = 0;
}

uint64_t run_spent(Worker *k) {
	RunEnd *end = &k->run->end;
	const uint64_t now = nanoseconds_of(CLOCK_THREAD_CPUTIME_ID), share = (now - k->seen_ns) / atomic_load(&end->busy);
	k->seen_ns = now;
	return atomic_fetch_add(&end->spent_ns, share) + share;
}

void worker_ends(Worker *k) {
	run_spent(k);
	atomic_fetch_sub(&k->run->end.busy, 1);
}

static uint64_t look_ns(const RunEnd *end) {
	const uint64_t part = end->limit_ns / LOOKS;
	return part > LOOK_NS ? LOOK_NS : part < LEAST_LOOK_NS ? LEAST_LOOK_NS : part;
}

bool limit_is_over(Worker *k, uint32_t basic_blocks) {
	RunEnd *end = &k->run->end;
	k->unseen += basic_blocks;
	if (k->unseen < k->pace) return false;
	const uint64_t before = k->seen_ns, spent = run_spent(k), took = k->seen_ns - before, want = look_ns(end);
	k->unseen = 0;
	if (took > want)
		k->pace = k->pace > 1 ? k->pace / 2 : 1;
	else if (took < want / 4 && k->pace < MOST_PACE)
		k->pace *= 2;
	return spent > end->limit_ns;
}
