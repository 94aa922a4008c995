/* What L1 keeps for a block: an equal share of what shared memory leaves of it, direct-mapped by sector. Nothing
 * survives the block. */
#ifndef GPULAB_MODEL_L1_H
#define GPULAB_MODEL_L1_H

#include "gpu/pattern.h"

typedef struct {
	uint32_t *tags; /* [mask + 1] which sector of which block */
	uint32_t mask;  /* 0: no L1 left */
	uint32_t block; /* number + 1 of the current one; the user sets it */
} L1;

/* Of one of so many blocks on an SM, which have `shared` bytes of shared memory each. */
L1 l1_new(const Generation *generation, uint64_t blocks, size_t shared);
L1 l1_like(const L1 *l1); /* as large, and empty */
void l1_free(L1 *l1);
/* missed[n] receives which of the sectors L1 does not have; it has them afterwards. Returns how many. */
uint32_t l1_misses(const L1 *l1, uint64_t origin, const uint64_t *sectors, uint32_t n, uint64_t *missed);

#endif
