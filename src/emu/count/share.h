/* How the loads of a block are shared among its threads and warps: what the busiest thread and the busiest warp load,
 * and what a few lanes load while the others of their warp wait. Kept while the block runs. */
#ifndef GPULAB_EMU_SHARE_H
#define GPULAB_EMU_SHARE_H

#include "emu/observer.h"

typedef struct Share Share;

typedef struct {
	uint64_t words;       /* of global and shared memory, by all threads */
	uint64_t thread;      /* by the thread that loads most */
	uint64_t lone_thread; /* by the one that loads most of them with at most seven others of its warp */
	uint64_t lone;        /* by one or two lanes of a warp, counted once for both */
	uint64_t warp;        /* requests to load from global memory by the warp that makes most */
	uint64_t warp_words;  /* words of global memory by the warp that loads most */
} ShareCounts;

Share *share_new(void);
void share_load(Share *share, const Access *access); /* from global or shared memory */
ShareCounts share_counts(const Share *share);

#endif
