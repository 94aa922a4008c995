/* What ends a launch before its blocks have ended: a fault, a limit, a cancel. */
#include <time.h>

#include "emu/warp/run.h"

enum { CLOCK_EVERY = 16 /* slices between two looks at the clock */, NS_PER_SLICE = 1000 };

uint64_t clock_ns(void) {
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

void run_stop(Run *run, StopReason reason) {
	int expected = STOP_NO;
	atomic_compare_exchange_strong(&run->end.stop, &expected, reason);
}

bool must_stop(Worker *k) {
	Run *run = k->run;
	k->kernel_ns += NS_PER_SLICE;
	if (run->launch->cancel && atomic_load_explicit(run->launch->cancel, memory_order_relaxed))
		run_stop(run, STOP_CANCEL);
	if (++k->ticks >= CLOCK_EVERY) {
		k->ticks = 0;
		if (run->end.deadline_ns && clock_ns() > run->end.deadline_ns) run_stop(run, STOP_TIMEOUT);
	}
	return run_stopped(run);
}

void work_done(Run *run, uint64_t basic_blocks) {
	const uint64_t most = run->launch->config.work_limit;
	if (most && atomic_fetch_add_explicit(&run->end.work, basic_blocks, memory_order_relaxed) + basic_blocks > most)
		run_stop(run, STOP_WORK);
}
