/* What L1 keeps for a block: an equal share of what shared memory leaves of it, as lines of 128 bytes whose sectors of
 * 32 are fetched one by one. Nothing survives the block. */
#pragma once

#include "gpu/pattern.h"

enum { L1_WAYS = 4, L1_LIST_BITS = 8, L1_RECENT = 16, L1_FILTER_BITS = 256 };

/* Lines that have one place. A tag says which line of which block it is and, in its lowest bits, which sectors of it
 * are there. */
typedef uint32_t L1Set __attribute__((vector_size(4 * L1_WAYS)));

/* A list of lines that a block looked up. */
typedef struct {
	ListId id;
	uint64_t state;                       /* of L1 before: all are there but for those that had to go since */
	uint32_t block;                       /* as L1.block then */
	bool filtered;                        /* has a filter; most lists come once */
	uint64_t filter[L1_FILTER_BITS / 64]; /* bits of their tags */
} L1List;

typedef struct {
	L1Set *sets;    /* [mask + 1]; NULL: no L1 left */
	uint32_t *next; /* [mask + 1] the way that was filled the longest ago, modulo L1_WAYS */
	uint32_t mask;
	uint32_t block;             /* number + 1 of the current one; l1_begin sets it */
	uint64_t state;             /* one more for each line that took a place */
	uint32_t recent[L1_RECENT]; /* by state: the tags that had to go */
	L1List *lists; /* [1 << L1_LIST_BITS] rows that threads read, which ask for one several times; NULL: none yet */
} L1;

/* The share of L1 of one block, where so many are on an SM and each has `shared` bytes of shared memory. */
L1 l1_new(const Generation *generation, uint64_t blocks, size_t shared);
L1 l1_like(const L1 *l1); /* as large, and empty */
void l1_free(L1 *l1);
void l1_begin(L1 *l1, uint32_t block);
/* Returns how many entries of missed[n] say which sectors L1 does not have; it has them afterwards. Lines count from
 * that of the sector `origin` on; n <= MAX_SEGMENTS. */
uint32_t l1_misses(L1 *l1, uint64_t origin, const TouchedLine *lines, uint32_t n, TouchedLine *missed);
uint32_t l1_misses_of_one(L1 *l1, uint64_t origin, TouchedLine line, TouchedLine *missed);
/* The same for a list of lines that was maybe looked up lately (gpu/pattern.h); list 0: it was not. */
uint32_t l1_misses_of_long(L1 *l1, ListId id, const TouchedLine *lines, uint32_t n, TouchedLine *missed);
enum { L1_LONG = 9 /* lines: fewer are looked up as fast */ };
static inline uint32_t l1_misses_of_list(L1 *l1, uint64_t list, uint64_t origin, const TouchedLine *lines, uint32_t n,
										 TouchedLine *missed) {
	if (n == 1) return l1_misses_of_one(l1, origin, *lines, missed);
	return n < L1_LONG || !list ? l1_misses(l1, origin, lines, n, missed)
								: l1_misses_of_long(l1, (ListId){list, origin}, lines, n, missed);
}
