/* What L1 keeps for a block: an equal share of what shared memory leaves of it, as lines of 128 bytes whose sectors of
 * 32 are fetched one by one. Nothing survives the block. */
#pragma once

#include "gpu/pattern.h"

enum { L1_WAYS = 4 };

/* Lines that have one place. A tag says which line of which block it is and, in its lowest bits, which sectors of it
 * are there. */
typedef uint32_t L1Set __attribute__((vector_size(4 * L1_WAYS)));

typedef struct {
	L1Set *sets;    /* [mask + 1]; NULL: no L1 left */
	uint32_t *next; /* [mask + 1] the way that was filled the longest ago, modulo L1_WAYS */
	uint32_t mask;
	uint32_t block; /* number + 1 of the current one; l1_begin sets it */
} L1;

/* The share of L1 of one block, where so many are on an SM and each has `shared` bytes of shared memory. */
L1 l1_new(const Generation *generation, uint64_t blocks, size_t shared);
L1 l1_like(const L1 *l1); /* as large, and empty */
void l1_free(L1 *l1);
void l1_begin(L1 *l1, uint32_t block);
/* Returns how many entries of missed[n] say which sectors L1 does not have; it has them afterwards. Lines count from
 * that of the sector `origin` on; n <= MAX_SEGMENTS. */
uint32_t l1_misses(L1 *l1, uint64_t origin, const TouchedLine *lines, uint32_t n, TouchedLine *missed);
