/* l1.h */
#include "model/traffic/l1.h"

#include <stdlib.h>

#include "base/arena.h"

enum { MOST_SLOTS = 8192 /* sectors: 256 KB, the largest L1 there is */ };

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

void l1_begin(L1 *l1, uint32_t block) {
	l1->block = block + 1;
	l1->state += L1_RECENT; /* no list is known */
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
uint32_t l1_misses(L1 *l1, uint64_t origin, const uint64_t *sectors, uint32_t n, uint64_t *missed) {
	const uint32_t block = l1->block * 0xD1B54A33u, mask = l1->mask;
	uint32_t *tags = l1->tags, i = 0, misses = 0;
	uint64_t state = l1->state;
	for (; i < n; i++) {
		const uint64_t p = product(origin + sectors[i]);
		if (tags[slot_of(p, mask)] != (uint32_t)(p >> 8) + block) break;
	}
	for (; i < n; i++) {
		const uint64_t p = product(origin + sectors[i]);
		const uint32_t slot = slot_of(p, mask), tag = (uint32_t)(p >> 8) + block;
		const bool misses_it = tags[slot] != tag;
		missed[misses] = sectors[i];
		l1->recent[state % L1_RECENT] = slot;
		misses += misses_it;
		state += misses_it;
		tags[slot] = tag;
	}
	l1->state = state;
	return misses;
}

static void keep_list(const L1 *l1, L1List *list, ListId id, const uint64_t *sectors, uint32_t n) {
	*list = (L1List){.id = id, .state = l1->state};
	for (uint32_t i = 0; i < n; i++) {
		const uint32_t bit = slot_of(product(id.origin + sectors[i]), l1->mask) % L1_FILTER_BITS;
		list->filter[bit / 64] |= UINT64_C(1) << bit % 64;
	}
}

/* Hits change nothing. So the sectors are there if they were, and no miss since took one of their slots. */
static bool is_there(const L1 *l1, const L1List *list) {
	if (l1->state - list->state >= L1_RECENT) return false; /* the oldest may be overwritten */
	for (uint64_t state = list->state; state < l1->state; state++) {
		const uint32_t bit = l1->recent[state % L1_RECENT] % L1_FILTER_BITS;
		if (list->filter[bit / 64] >> bit % 64 & 1) return false;
	}
	return true;
}

uint32_t l1_misses_of_long(L1 *l1, ListId id, const uint64_t *sectors, uint32_t n, uint64_t *missed) {
	L1List *known = &l1->lists[list_place(id, L1_LIST_BITS)];
	if (same_list(known->id, id) && is_there(l1, known)) {
		known->state = l1->state;
		return 0;
	}
	const uint32_t misses = l1_misses(l1, id.origin, sectors, n, missed);
	if (!misses && same_list(known->id, id))
		keep_list(l1, known, id, sectors, n);
	else /* most lists come once: only its name is kept */
		known->id = id, known->state = l1->state - L1_RECENT;
	return misses;
}
