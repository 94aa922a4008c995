/* The GPU's lock (device/lock.h) as measurements take it: without one they still run, and the result says so. */
#ifndef GPULAB_MEASURE_LOCK_H
#define GPULAB_MEASURE_LOCK_H

#include "device/lock.h"
#include "measure/measure.h"

/* False for Ctrl-C while waiting, with outcome and err filled, and for a connection that was lost. device_unlock
 * releases it. */
bool timing_lock_take(Device *device, const LockMode *mode, GpuLock *out, LaunchOutcome *outcome, Err *err);

/* What the result has to say of it: "" or "measured without the lock ...", "waited 3.2 s for ...". */
void timing_lock_describe(const GpuLock *lock, const LockMode *mode, char *out, size_t size);

#endif
