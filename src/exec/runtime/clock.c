/* runtime.h: the time that events have. Under predictions there are two times, in ms: the device's passes by what
 * the model says, and the host's while it is not in a call. What the host gives the device begins when the device is
 * done and the host has got there. */
#include <time.h>

#include "exec/runtime/runtime.h"

static double host_at, device_at;
static double left, left_busy; /* clocks when the last call was left; 0: there was none */
static bool call_waits;        /* the call in progress returns when the device is done */

static double later(double a, double b) {
	return a > b ? a : b;
}

static double clock_of(clockid_t id) {
	struct timespec t;
	clock_gettime(id, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

/* Time in which the process had to wait for a processor is not the program's. Nor do predictions get longer by what it
 * takes to go from one call to the next. */
void clock_enter(bool finish) {
	static const double least = 0.02;
	if (!facts()->predict) return;
	const double all = clock_of(CLOCK_MONOTONIC) - left, busy = clock_of(CLOCK_PROCESS_CPUTIME_ID) - left_busy;
	const double passed = busy < all ? busy : all;
	if (left > 0 && passed > least) host_at += passed;
	call_waits = finish;
}

void clock_leave(void) {
	if (!is_connected() || !facts()->predict) return;
	if (call_waits) host_at = later(host_at, device_at);
	call_waits = false;
	left = clock_of(CLOCK_MONOTONIC);
	left_busy = clock_of(CLOCK_PROCESS_CPUTIME_ID);
}

void clock_add(double milliseconds) {
	if (facts()->predict) device_at = later(device_at, host_at) + milliseconds;
}

double clock_now(void) {
	if (!facts()->predict) return clock_of(CLOCK_MONOTONIC);
	device_at = later(device_at, host_at);
	return device_at;
}
