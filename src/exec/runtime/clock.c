/* runtime.h: the time that events have. Under predictions there are two times, in ms: the device's passes by what
 * the model says, and the host's while it is not in a call. What the host gives the device begins when the device is
 * done and the host has got there. */
#include <time.h>

#include "exec/runtime/runtime.h"

static double host_at, device_at;
static bool call_waits; /* the call in progress returns when the device is done */

static double later(double a, double b) {
	return a > b ? a : b;
}

void clock_enter(bool finish) {
	if (!facts()->predict) return;
	host_at += host_clock_stop();
	call_waits = finish;
}

void clock_leave(void) {
	if (!is_connected() || !facts()->predict) return;
	const double before = host_at;
	if (call_waits) host_at = later(host_at, device_at);
	call_waits = false;
	host_clock_go(host_at - before);
}

void clock_add(double milliseconds) {
	if (facts()->predict) device_at = later(device_at, host_at) + milliseconds;
}

double clock_now(void) {
	if (!facts()->predict) {
		struct timespec t;
		clock_gettime(CLOCK_MONOTONIC, &t);
		return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
	}
	device_at = later(device_at, host_at);
	return device_at;
}
