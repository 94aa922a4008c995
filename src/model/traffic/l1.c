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
}

void l1_free(L1 *l1) {
	free(l1->sets);
	free(l1->next);
	*l1 = (L1){0};
}

/* An entry holds 16 times its line, and so does the product: no shift has to take the sectors off. */
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

/* Masks for an entry: all bits of its tag, and one of the 16 sets of sectors. */
#define TAG_AND(s)                                                                                                     \
	{ ~15u | (s), ~15u | (s), ~15u | (s), ~15u | (s) }
static const L1Set tag_and[1 << SECTORS_PER_LINE] = {
	TAG_AND(0), TAG_AND(1), TAG_AND(2),  TAG_AND(3),  TAG_AND(4),  TAG_AND(5),  TAG_AND(6),  TAG_AND(7),
	TAG_AND(8), TAG_AND(9), TAG_AND(10), TAG_AND(11), TAG_AND(12), TAG_AND(13), TAG_AND(14), TAG_AND(15),
};

static inline bool has_all(L1Set set, uint32_t tag, uint32_t sectors) {
	return ways_of((L1Set)((set & tag_and[sectors]) == (tag | sectors))) != 0;
}

/* What a look-up needs of L1, where no store is taken to change it. */
typedef struct {
	L1Set *sets;
	uint32_t *next, mask, block_tag;
	uint64_t start; /* the product of the origin */
} View;

static inline View view_of(const L1 *l1, uint64_t origin) {
	return (View){l1->sets, l1->next, l1->mask, tag_of_block(l1->block), product_of_origin(origin)};
}

/* at[] receives which of lines [from, n) L1 does not have whole, without a branch, which would follow no pattern.
 */
static inline uint32_t look_up(View l1, const TouchedLine *lines, uint32_t from, uint32_t n, uint8_t *at) {
	uint32_t missing = 0;
	for (uint32_t i = from; i < n; i++) {
		const uint64_t p = product_of(lines[i]) + l1.start;
		const uint32_t tag = tag_of(p, l1.block_tag);
		at[missing] = (uint8_t)i;
		missing += !has_all(l1.sets[set_of(p, l1.mask)], tag, touched_sectors(lines[i]));
	}
	return missing;
}

/* The line has these sectors from now on, in the way where it is or in one that it gets. Returns which were missing. */
static inline uint32_t take(View view, uint32_t set, uint32_t tag, uint32_t sectors) {
	const uint32_t found = ways_of((L1Set)((view.sets[set] & tag_and[0]) == tag));
	uint32_t *ways = (uint32_t *)&view.sets[set];
	if (found) {
		uint32_t *way = ways + __builtin_ctz(found);
		const uint32_t missing = sectors & ~*way;
		*way |= sectors;
		return missing;
	}
	ways[view.next[set]++ % L1_WAYS] = tag | sectors;
	return sectors;
}

/* Lines at[n] of the list, or if at is NULL the first n; entries of missed[]. */
static inline uint32_t take_all(View view, const TouchedLine *lines, const uint8_t *at, uint32_t n,
								TouchedLine *missed) {
	uint32_t entries = 0;
	for (uint32_t k = 0; k < n; k++) {
		const TouchedLine line = lines[at ? at[k] : k];
		const uint64_t p = product_of(line) + view.start;
		const uint32_t its = take(view, set_of(p, view.mask), tag_of(p, view.block_tag), touched_sectors(line));
		missed[entries] = (TouchedLine){(line.bits & ~(uint64_t)ALL_SECTORS) | its};
		entries += its != 0; /* none: an entry before was of the same line */
	}
	return entries;
}

/* Mostly L1 has all sectors. Where it has none of the first ones, the others are not looked up for their own sake. */
enum { FIRST = 4 };

uint32_t l1_misses(L1 *l1, uint64_t origin, const TouchedLine *lines, uint32_t n, TouchedLine *missed) {
	uint8_t at[MAX_SEGMENTS];
	const View view = view_of(l1, origin);
	if (n == 1) return take_all(view, lines, NULL, 1, missed);
	uint32_t missing = n > FIRST ? look_up(view, lines, 0, FIRST, at) : FIRST;
	if (missing == FIRST) return take_all(view, lines, NULL, n, missed);
	missing += look_up(view, lines, FIRST, n, at + missing);
	return take_all(view, lines, at, missing, missed);
}
