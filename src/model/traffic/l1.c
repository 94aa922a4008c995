/* l1.h */
#include "model/traffic/l1.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

enum { MOST_SETS = 512 /* 256 KB, the largest L1 there is */, ALL_SECTORS = (1 << SECTORS_PER_LINE) - 1 };

static L1 l1_of(uint32_t sets) {
	if (!sets) return (L1){0};
	return (L1){.sets = xcalloc(sets, sizeof(L1Set)), .next = xcalloc(sets, sizeof(uint32_t)), .mask = sets - 1};
}

L1 l1_new(const Generation *g, uint64_t blocks, size_t shared) {
	const size_t taken = g->l1_shared ? blocks * shared : 0;
	const size_t fit = taken < g->l1_bytes ? (g->l1_bytes - taken) / blocks / (L1_WAYS * CACHE_LINE_BYTES) : 0;
	uint32_t sets = fit > 0;
	while (sets && 2 * sets <= fit && sets < MOST_SETS) sets *= 2;
	return l1_of(sets);
}

L1 l1_like(const L1 *l1) {
	return l1_of(l1->sets ? l1->mask + 1 : 0);
}

void l1_begin(L1 *l1, uint32_t block) {
	l1->block = block + 1;
	l1->state += L1_RECENT; /* no list is known */
}

void l1_free(L1 *l1) {
	free(l1->sets);
	free(l1->next);
	*l1 = (L1){0};
}

/* Of a line 16 times the product, so that no shift takes the sectors off an entry. */
#define FACTOR UINT64_C(0x9E3779B97F4A7C15)

static inline uint64_t product_of(TouchedLine line) {
	return (line.bits & ~(uint64_t)ALL_SECTORS) * FACTOR;
}

/* What the origin adds to the products of its lines. */
static inline uint64_t product_of_origin(uint64_t origin) {
	return (origin / SECTORS_PER_LINE << SECTORS_PER_LINE) * FACTOR;
}

static inline uint32_t set_of(uint64_t product, uint32_t mask) {
	return (uint32_t)(product >> 40) & mask;
}

static inline uint32_t tag_of_block(uint32_t block) {
	return block * 0xD1B54A33u << SECTORS_PER_LINE;
}

/* The bits of a product that do not choose the set, shifted by another number for each block, so that two lines are one
 * with a chance of 2^-28. No stride is special. */
static inline uint32_t tag_of(uint64_t product, uint32_t block_tag) {
	return ((uint32_t)(product >> 8) & ~(uint32_t)ALL_SECTORS) + block_tag;
}

static inline uint32_t count_of(uint32_t sectors) {
	return (uint32_t)(UINT64_C(0x4332322132212110) >> 4 * sectors & 7);
}

/* Bit i: way i. */
static inline uint32_t ways_of(L1Set chosen) {
#ifdef __SSE2__
	typedef float Floats __attribute__((vector_size(sizeof(L1Set))));
	return (uint32_t)__builtin_ia32_movmskps((Floats)chosen);
#else
	const L1Set bits = chosen & (L1Set){1, 2, 4, 8};
	return bits[0] | bits[1] | bits[2] | bits[3];
#endif
}

/* By sectors: the tag and these. */
#define TAG_AND(s)                                                                                                     \
	{ ~15u | (s), ~15u | (s), ~15u | (s), ~15u | (s) }
static const L1Set tag_and[1 << SECTORS_PER_LINE] = {
	TAG_AND(0), TAG_AND(1), TAG_AND(2),  TAG_AND(3),  TAG_AND(4),  TAG_AND(5),  TAG_AND(6),  TAG_AND(7),
	TAG_AND(8), TAG_AND(9), TAG_AND(10), TAG_AND(11), TAG_AND(12), TAG_AND(13), TAG_AND(14), TAG_AND(15),
};

static inline bool has_all(L1Set set, uint32_t tag, uint32_t sectors) {
	return ways_of((L1Set)((set & tag_and[sectors]) == (tag | sectors))) != 0;
}

static inline uint32_t filter_bit(uint32_t tag) {
	return tag >> SECTORS_PER_LINE & (L1_FILTER_BITS - 1);
}

/* The line's way, or the one it gets now. Returns which sectors were missing. */
static inline uint32_t take(L1 *l1, uint32_t set, uint32_t tag, uint32_t sectors) {
	const uint32_t found = ways_of((L1Set)((l1->sets[set] & tag_and[0]) == tag)), is_new = !found;
	const uint32_t oldest = 1u << l1->next[set] % L1_WAYS, way = (uint32_t)__builtin_ctz(is_new ? oldest : found);
	uint32_t *place = (uint32_t *)&l1->sets[set] + way;
	const uint32_t before = *place, there = is_new ? 0 : before & ALL_SECTORS;
	l1->recent[l1->state % L1_RECENT] = filter_bit(before);
	l1->state += is_new;
	l1->next[set] += is_new;
	*place = tag | there | sectors;
	return sectors & ~there;
}

/* Mostly L1 has all sectors. Where it has not is listed without a branch, which would follow no pattern. */
static inline uint32_t look_up(const L1 *l1, uint64_t start, const TouchedLine *lines, uint32_t n, uint8_t *at) {
	const L1Set *sets = l1->sets;
	const uint32_t block = tag_of_block(l1->block), mask = l1->mask;
	uint32_t missing = 0;
	for (uint32_t i = 0; i < n; i++) {
		const uint64_t p = product_of(lines[i]) + start;
		at[missing] = (uint8_t)i;
		missing += !has_all(sets[set_of(p, mask)], tag_of(p, block), touched_sectors(lines[i]));
	}
	return missing;
}

L1Misses l1_misses(L1 *l1, uint64_t origin, const TouchedLine *lines, uint32_t n, TouchedLine *missed) {
	uint8_t at[MAX_SEGMENTS];
	const uint64_t start = product_of_origin(origin);
	const uint32_t block = tag_of_block(l1->block);
	const uint32_t missing = look_up(l1, start, lines, n, at);
	L1Misses misses = {0, 0, 0};
	uint64_t last = 0;
	for (uint32_t k = 0; k < missing; k++) {
		const TouchedLine line = lines[at[k]];
		const uint64_t p = product_of(line) + start, number = touched_number(line);
		const uint32_t its = take(l1, set_of(p, l1->mask), tag_of(p, block), touched_sectors(line));
		if (!its) continue; /* since the entry before, of the same line */
		misses.sectors += count_of(its);
		misses.lines += !misses.entries || number != last;
		missed[misses.entries++] = touched_line(last = number, its);
	}
	return misses;
}

static void make_filter(const L1 *l1, L1List *list, const TouchedLine *lines, uint32_t n) {
	memset(list->filter, 0, sizeof list->filter);
	list->filtered = l1->block;
	for (uint32_t i = 0; i < n; i++) {
		const uint64_t p = product_of(lines[i]) + product_of_origin(list->id.origin);
		const uint32_t bit = filter_bit(tag_of(p, tag_of_block(l1->block)));
		list->filter[bit / 64] |= UINT64_C(1) << bit % 64;
	}
}

/* Hits change nothing. So the lines are there if none of them had to go since. */
static bool is_there(const L1 *l1, L1List *list, const TouchedLine *lines, uint32_t n) {
	if (l1->state == list->state) return true;
	if (l1->state - list->state >= L1_RECENT) return false;           /* the oldest may be overwritten */
	if (list->filtered != l1->block) make_filter(l1, list, lines, n); /* most lists come once */
	for (uint64_t state = list->state; state < l1->state; state++) {
		const uint32_t bit = l1->recent[state % L1_RECENT];
		if (list->filter[bit / 64] >> bit % 64 & 1) return false;
	}
	return true;
}

L1Misses l1_misses_of_long(L1 *l1, ListId id, const TouchedLine *lines, uint32_t n, TouchedLine *missed) {
	L1List *known = &l1->lists[list_place(id, L1_LIST_BITS)];
	const bool same = same_list(known->id, id);
	if (same && is_there(l1, known, lines, n)) {
		known->state = l1->state;
		return (L1Misses){0, 0, 0};
	}
	if (!same) known->id = id, known->filtered = 0;
	known->state = l1->state;
	return l1_misses(l1, id.origin, lines, n, missed);
}
