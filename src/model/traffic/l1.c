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
	return (L1){.tags = xcalloc(slots, sizeof(uint32_t)), .mask = slots - 1};
}

L1 l1_like(const L1 *l1) {
	return (L1){.tags = xcalloc(l1->mask + 1, sizeof *l1->tags), .mask = l1->mask};
}

void l1_free(L1 *l1) {
	free(l1->tags);
	*l1 = (L1){0};
}

/* The bits of a product that do not choose the slot are the tag, shifted by another odd number for each block, so that
 * two sectors are one with a chance of 2^-32. No stride is special. */
static inline uint64_t product(uint64_t sector) {
	return sector * UINT64_C(0x9E3779B97F4A7C15);
}

static inline uint32_t slot_of(uint64_t product, uint32_t mask) {
	return (uint32_t)(product >> 40) & mask;
}

/* Mostly all sectors hit, and nothing changes. From the first miss on hits follow no pattern: no branches. */
uint32_t l1_misses(const L1 *l1, uint64_t origin, const uint64_t *sectors, uint32_t n, uint64_t *missed) {
	const uint32_t block = l1->block * 0xD1B54A33u, mask = l1->mask;
	uint32_t *tags = l1->tags, i = 0, misses = 0;
	for (; i < n; i++) {
		const uint64_t p = product(origin + sectors[i]);
		if (tags[slot_of(p, mask)] != (uint32_t)(p >> 8) + block) break;
	}
	for (; i < n; i++) {
		const uint64_t p = product(origin + sectors[i]);
		uint32_t *slot = &tags[slot_of(p, mask)];
		const uint32_t tag = (uint32_t)(p >> 8) + block;
		missed[misses] = sectors[i];
		misses += *slot != tag;
		*slot = tag;
	}
	return misses;
}
