/* l1.h */
#include "model/traffic/l1.h"

#include <stdlib.h>

#include "base/arena.h"

enum { MOST_SLOTS = 8192 }; /* sectors: 256 KB, the largest L1 there is */

L1 l1_new(const Generation *g, uint64_t blocks, size_t shared) {
	const size_t taken = g->l1_shared ? blocks * shared : 0;
	const size_t lines = taken < g->l1_bytes ? (g->l1_bytes - taken) / blocks / g->l1_line : 1;
	uint32_t slots = 1;
	while (2 * slots <= lines && slots < MOST_SLOTS) slots *= 2;
	return (L1){.tags = xcalloc(slots, sizeof(uint64_t)), .mask = slots - 1};
}

L1 l1_like(const L1 *l1) {
	return (L1){.tags = xcalloc(l1->mask + 1, sizeof *l1->tags), .mask = l1->mask};
}

void l1_free(L1 *l1) {
	free(l1->tags);
	*l1 = (L1){0};
}

/* Without branches, since which sectors hit follows no pattern. A block's tag is its sector and a multiple of a large
 * odd number, so that the same sector has another tag in another block. */
uint32_t l1_misses(L1 *l1, Segment *segments, uint32_t n) {
	const uint64_t block = l1->block * UINT64_C(0xD1B54A32D192ED03);
	uint64_t *tags = l1->tags;
	uint32_t misses = 0;
	for (uint32_t i = 0; i < n; i++) {
		const Segment segment = segments[i];
		const uint64_t sector = segment.base >> 5;
		const uint32_t slot =
			(uint32_t)(sector * UINT64_C(0x9E3779B97F4A7C15) >> 40) & l1->mask; /* no stride is special */
		segments[misses] = segment;
		misses += tags[slot] != sector + block;
		tags[slot] = sector + block;
	}
	return misses;
}
