#include "model/traffic/contention.h"

#include <math.h>
#include <stdlib.h>

#include "base/arena.h"

enum { MOST = 1 << 20, PIECE_BITS = 8, PART_SHIFT = 40 };
/* Pieces that the busiest slice has beyond its share: half of the root of their number, and no more than this (1 to
 * 1024 pieces in use at the same time, on an H200). */
#define SLICE_EXCESS 2.5
#define FLOATS (UINT64_C(1) << 63) /* of a word's key */
#define PIECE_MASK ((UINT64_C(1) << PART_SHIFT) - 1)

static uint64_t count(NumberMap *map, uint64_t key, uint64_t n) {
	if (map->count == MOST && !number_map_get(map, key)) return 0;
	return *number_map_at(map, key) += n;
}

static void count_word(Contention *c, uint64_t key, uint64_t n) {
	const uint64_t now = count(&c->words, key, n);
	if (now > c->most) c->most = now;
	if (key & FLOATS && now > c->most_floats) c->most_floats = now;
}

/* Different words, in the order of their first lanes, and how many lanes name each. */
typedef struct {
	uint64_t address[32];
	uint32_t lanes[32], n;
} Words;

static void find_words(const uint64_t *addresses, uint32_t lanes, Words *out) {
	enum { BITS = 6 };
	uint8_t table[1 << BITS] = {0}; /* index + 1; 0: free */
	out->n = 0;
	for (; lanes; lanes &= lanes - 1) {
		const uint64_t address = addresses[__builtin_ctz(lanes)];
		uint32_t at = (uint32_t)(address * UINT64_C(0x9E3779B97F4A7C15) >> (64 - BITS));
		while (table[at] && out->address[table[at] - 1] != address) at = (at + 1) % (1 << BITS);
		if (!table[at]) {
			out->address[out->n] = address;
			out->lanes[out->n] = 0;
			table[at] = (uint8_t)++out->n;
		}
		out->lanes[table[at] - 1]++;
	}
}

uint32_t contention_add(Contention *c, uint64_t block, const uint64_t *addresses, uint32_t lanes, bool floats) {
	uint64_t sectors[32];
	uint32_t busiest[32], nsectors = 0, all = 0;
	Words words;
	find_words(addresses, lanes, &words);
	for (uint32_t k = 0; k < words.n; k++) {
		const uint64_t address = words.address[k];
		uint32_t i = 0;
		while (i < nsectors && sectors[i] != address >> 5) i++;
		if (i == nsectors) sectors[nsectors] = address >> 5, busiest[nsectors++] = 0;
		if (words.lanes[k] > busiest[i]) busiest[i] = words.lanes[k];
		count_word(c, floats ? address | FLOATS : address, words.lanes[k]);
	}
	for (uint32_t i = 0; i < nsectors; i++) {
		const uint64_t piece = sectors[i] >> (PIECE_BITS - 5) & PIECE_MASK;
		count(&c->places, block / c->part << PART_SHIFT | piece, busiest[i]);
		all += busiest[i];
	}
	c->operations += all;
	return all;
}

static void merge(NumberMap *to, const NumberMap *from) {
	number_map_reserve(to, from->count);
	for (size_t i = 0; i < from->size; i++)
		if (from->slots[i].value) count(to, from->slots[i].key, from->slots[i].value);
}

void contention_merge(Contention *to, const Contention *from) {
	number_map_reserve(&to->words, from->words.count);
	for (size_t i = 0; i < from->words.size; i++)
		if (from->words.slots[i].value) count_word(to, from->words.slots[i].key, from->words.slots[i].value);
	merge(&to->places, &from->places);
	to->operations += from->operations;
}

void contention_free(Contention *c) {
	number_map_free(&c->words);
	number_map_free(&c->places);
	c->most = c->most_floats = c->operations = 0;
}

/* --- the busiest slice -------------------------------------------------------------------------------------------- */

/* What is added up of a part of the launch. In whole numbers the order of a map does not change a sum. */
typedef struct {
	uint64_t operations, squares; /* of its pieces, and each of them squared */
	uint64_t shared_squares;      /* the same times the other parts that use the piece */
	double most;                  /* of a piece, with what the other parts of its time add */
} Part;

/* In how many parts each piece is used; how many parts there are. */
static uint64_t count_parts(const Contention *c, NumberMap *uses, NumberMap *numbers) {
	uint64_t parts = 0;
	number_map_reserve(uses, c->places.count);
	for (size_t i = 0; i < c->places.size; i++) {
		const NumberSlot *place = &c->places.slots[i];
		if (!place->value) continue;
		++*number_map_at(uses, place->key & PIECE_MASK);
		uint64_t *number = number_map_at(numbers, place->key >> PART_SHIFT);
		if (!*number) *number = ++parts;
	}
	return parts;
}

static double busiest_of(const Part *p, double slices, double together, double others) {
	const double all = (double)p->operations * together;
	const double squares = (double)p->squares + others * (double)p->shared_squares;
	const double alike = squares / (double)p->operations; /* operations of a piece, if all had as many */
	const double slice = all / slices + alike * fmin(SLICE_EXCESS, sqrt(all / alike) / 2);
	const double most = slice > p->most ? slice : p->most;
	return (most < all ? most : all) / together;
}

/* Operations that the busiest slice does one after the other, summed over the parts; `together` of them are on the GPU
 * at the same time. */
static double busiest_slice(const Contention *c, double slices, double together) {
	NumberMap uses = {0}, numbers = {0};
	const uint64_t nparts = count_parts(c, &uses, &numbers);
	Part *parts = xcalloc(nparts + 1, sizeof *parts);
	/* A piece that other parts use, too, is as likely used by those of the same time. */
	const double others = nparts > 1 ? (together - 1) / (double)(nparts - 1) : 0;
	uint64_t counted = 0, busiest = 0;
	if (slices < 1) slices = 1;
	for (size_t i = 0; i < c->places.size; i++) {
		const NumberSlot *place = &c->places.slots[i];
		if (!place->value) continue;
		Part *p = &parts[number_map_get(&numbers, place->key >> PART_SHIFT) - 1];
		const uint64_t n = place->value, elsewhere = number_map_get(&uses, place->key & PIECE_MASK) - 1;
		p->operations += n;
		p->squares += n * n;
		p->shared_squares += n * n * elsewhere;
		const double there = (double)n * (1 + others * (double)elsewhere);
		if (there > p->most) p->most = there;
		counted += n;
	}
	for (uint64_t i = 0; i < nparts; i++) busiest += (uint64_t)busiest_of(&parts[i], slices, together, others);
	free(parts);
	number_map_free(&uses);
	number_map_free(&numbers);
	return (double)busiest + (double)(c->operations - counted) / slices;
}

double contention_ns(const Contention *c, const Gpu *gpu, double blocks) {
	const Generation *g = gpu->generation;
	if (!c->operations) return 0;
	const double one = g->atomic_clocks / gpu_ghz(gpu), any = 32 * g->atomic_sectors / gpu_l2_gbps(gpu);
	const double slice = one * busiest_slice(c, one / any, fmax(blocks / (double)c->part, 1));
	const double floats = g->atomic_float_clocks / gpu_ghz(gpu);
	return fmax(slice, fmax(one * (double)c->most, floats * (double)c->most_floats));
}
