/* What L1 keeps for a block: an equal share of what shared memory leaves of it, direct-mapped by sector. Nothing
 * survives the block. */
#ifndef GPULAB_MODEL_L1_H
#define GPULAB_MODEL_L1_H

#include "gpu/pattern.h"

enum { L1_LIST_BITS = 8, L1_RECENT = 8, L1_FILTER_BITS = 256 };

/* A list of sectors that were all there. */
typedef struct {
	ListId id;
	uint64_t state;                       /* of L1 then */
	uint64_t filter[L1_FILTER_BITS / 64]; /* bits of their slots */
} L1List;

typedef struct {
	uint32_t *tags;                  /* [mask + 1] which sector of which block */
	uint32_t mask;                   /* 0: no L1 left */
	uint32_t block;                  /* number + 1 of the current one; l1_begin sets it */
	uint64_t state;                  /* one more after each miss; 0: nothing was there yet */
	uint32_t recent[L1_RECENT];      /* by state: slots that were filled last */
	L1List lists[1 << L1_LIST_BITS]; /* threads that each read a row ask for the same ones several times */
} L1;

/* Of one of so many blocks on an SM, which have `shared` bytes of shared memory each. */
L1 l1_new(const Generation *generation, uint64_t blocks, size_t shared);
L1 l1_like(const L1 *l1); /* as large, and empty */
void l1_free(L1 *l1);
void l1_begin(L1 *l1, uint32_t block);
/* missed[n] receives which of the sectors L1 does not have; it has them afterwards. Returns how many. */
uint32_t l1_misses(L1 *l1, uint64_t origin, const uint64_t *sectors, uint32_t n, uint64_t *missed);
/* The same for a list of sectors that was maybe looked up lately (gpu/pattern.h). */
uint32_t l1_misses_of_long(L1 *l1, ListId id, const uint64_t *sectors, uint32_t n, uint64_t *missed);
enum { L1_LONG = 9 /* sectors: fewer are looked up as fast */ };
static inline uint32_t l1_misses_of_list(L1 *l1, uint64_t list, uint64_t origin, const uint64_t *sectors, uint32_t n,
										 uint64_t *missed) {
	return n < L1_LONG ? l1_misses(l1, origin, sectors, n, missed)
					   : l1_misses_of_long(l1, (ListId){list, origin}, sectors, n, missed);
}

#endif
