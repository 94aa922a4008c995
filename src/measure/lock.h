/* One process at a time takes times on a GPU: a file a GPU, locked while samples are taken and no longer. The kernel lets go of it
 * when a process dies, however it dies. Everyone on the machine shares it: /tmp/gpulab-BUS.lock, readable and writable by all
 * (GPULAB_LOCK_DIR names another folder). Without such a file (a /tmp of one's own, no room, another thing of that name) one
 * measures all the same, and the result says so. */
#ifndef GPULAB_MEASURE_LOCK_H
#define GPULAB_MEASURE_LOCK_H

#include "measure/measure.h"

typedef struct {
	int fd; /* -1: not held */
	double waited_s;
	char without[160]; /* why it is not held; "" if it is, or nobody wanted it */
} TimingLock;

/* False only for Ctrl-C while waiting, with outcome and err filled. A device without a bus (the emulator) needs no lock. */
bool timing_lock_take(const Device *device, const LockWish *wish, TimingLock *out, LaunchOutcome *outcome, Err *err);
void timing_lock_release(TimingLock *lock);

/* What the result has to say of it: "" or "measured without the lock ...", "waited 3.2 s for ...". */
void timing_lock_tell(const TimingLock *lock, const LockWish *wish, char *out, size_t size);

#endif
