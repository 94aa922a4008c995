/* Which loads from global memory a warp issues while it works on shared memory: between the same two barriers it also
 * reads shared memory. A kernel that fills a tile, waits, and then uses it overlaps none of its loads; with a second
 * tile that is filled while the first one is in use, all loads but those of the first tile have their share of the
 * reads. */
#ifndef GPULAB_EMU_OVERLAP_H
#define GPULAB_EMU_OVERLAP_H

#include "base/vec.h"
#include "emu/observer.h"

/* Requests of a warp between two barriers. */
typedef struct {
	uint32_t loads, uses; /* from global, from shared memory */
} Interval;

typedef struct {
	VEC(Interval) warps[32]; /* the last interval of each is the current one */
} Overlap;

void overlap_access(Overlap *overlap, const Access *access);
void overlap_barrier(Overlap *overlap, uint32_t warp);
/* Requests that would have to be in other intervals for each to have the same share of loads and of uses; all of a warp
 * that has no uses. */
uint64_t overlap_serial(const Overlap *overlap);
void overlap_free(Overlap *overlap); /* NULL: nothing */

#endif
