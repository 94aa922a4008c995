/* One process at a time measures on a GPU: one file per GPU, locked only while samples are taken. The kernel releases
 * it when a process dies. All users of the machine share it: /tmp/gpulab-BUS.lock, readable and writable by all
 * (GPULAB_LOCK_DIR names another folder). Without such a file (a private /tmp, no space, another kind of file)
 * measurements still run, and the result says so. */
#ifndef GPULAB_MEASURE_LOCK_H
#define GPULAB_MEASURE_LOCK_H

#include "measure/measure.h"

typedef struct {
	int fd; /* -1: not held */
	double waited_s;
	char without[160]; /* why it is not held; "" if it is, or was not requested */
} TimingLock;

/* False only for Ctrl-C while waiting, with outcome and err filled. A device without a bus (the emulator) needs no lock. */
bool timing_lock_take(const Device *device, const LockMode *mode, TimingLock *out, LaunchOutcome *outcome, Err *err);
void timing_lock_release(TimingLock *lock);

/* What the result has to say of it: "" or "measured without the lock ...", "waited 3.2 s for ...". */
void timing_lock_describe(const TimingLock *lock, const LockMode *mode, char *out, size_t size);

#endif
