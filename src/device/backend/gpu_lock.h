/* One process at a time measures on a GPU: one file per GPU, locked only while samples are taken. Those who wait form
 * a queue, first come, first served (base/file_queue.h); the kernel releases a place, and the lock, when a process
 * dies. All users of the machine share it: /tmp/gpulab-BUS.lock, readable and writable by all (GPULAB_LOCK_DIR names
 * another folder). The lock of a remote GPU is taken on its machine. */
#pragma once

#include "device/types.h"

typedef struct {
	int fd;            /* -1: not held here */
	bool elsewhere;    /* it is held where the GPU is */
	uint64_t ticket;   /* in the queue; NO_TICKET: a file that this user may not write has none */
	double waited_s;   /* 0: it was free */
	char without[160]; /* why it is not held; "" if it is, or there is none */
} GpuLock;
#define NO_TICKET UINT64_MAX

typedef struct {
	void (*waiting)(void *user, const char *text); /* when one has to wait, and again while one does; may be NULL */
	void (*look)(void *user);                      /* about every 20 ms; may be NULL */
	void *user;
} LockWait;

/* False: cancel_flag was set. bus "": there is no lock. */
bool gpu_lock_take(const char *bus, const LockWait *wait, GpuLock *out);
void gpu_lock_release(GpuLock *lock);
