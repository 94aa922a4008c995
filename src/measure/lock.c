/* lock.h */
#include "measure/lock.h"

#include <stdio.h>

#include "measure/internal.h"

bool timing_lock_take(Device *device, const LockMode *mode, GpuLock *out, LaunchOutcome *outcome, Err *err) {
	const LockWait wait = {.waiting = mode->waiting, .user = mode->user};
	Err local = ERR_INIT;
	*out = (GpuLock){.fd = -1};
	if (mode->none || device_lock(device, &wait, out, &local)) return true;
	if (local.kind == ERR_INTERRUPTED) return measure_cancelled(outcome, err);
	if (err) *err = local;
	return false;
}

void timing_lock_describe(const GpuLock *lock, const LockMode *mode, char *out, size_t size) {
	*out = '\0';
	if (mode->none)
		snprintf(out, size, "measured without the GPU's lock: others may have been using it");
	else if (*lock->without)
		snprintf(out, size, "measured without the GPU's lock (%s)", lock->without);
	else if (lock->waited_s >= 1)
		snprintf(out, size, "waited %.0f s for the GPU", lock->waited_s);
}
