#include "emu/count/loads.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/vec.h"

enum { WARPS = 32, WORD = 4, FEW = 8, MOST_INTERVALS = 1 << 16 /* the others count as one with the last */ };

/* Requests of a warp between two barriers, from global and from shared memory. */
typedef struct {
	uint32_t loads, uses;
} Interval;

/* An access to global memory. */
typedef struct {
	uint32_t instr, mask;
	uint64_t addr[LANES], operand[LANES];
} Last;

typedef struct {
	Last last;
	uint64_t words, with_few[LANES];
	uint64_t requests, global_words; /* of global memory */
	uint64_t stores, stored[LANES];  /* requests; words by lane */
	uint64_t late_words;             /* loaded after the first of these */
	uint32_t lanes;                  /* that load or exchange since the last barrier */
	uint64_t tail, tail_lanes;       /* how often since then, and by how many lanes in all */
	bool combines;
	VEC(Interval) intervals; /* the last one is the current one */
} WarpLoads;

struct Loads {
	WarpLoads warps[WARPS];
	StoreCounts shared, global;
	VEC(bool) tile; /* the words of shared memory that are stored to */
};

Loads *loads_new(void) {
	return xcalloc(1, sizeof(Loads));
}

static Interval *current(WarpLoads *w) {
	if (!w->intervals.len) vec_push(&w->intervals, ((Interval){0}));
	return &vec_last(&w->intervals);
}

static void note_lanes(WarpLoads *w, uint32_t mask) {
	w->lanes |= mask;
	w->tail++;
	w->tail_lanes += (uint64_t)__builtin_popcount(mask);
}

/* One word for all lanes may be a result that others combined. */
static bool is_several_words(const Access *a) {
	const uint64_t first = a->addr[__builtin_ctz(a->mask)];
	FOR_LANES(l, a->mask) {
		if (a->addr[l] != first) return true;
	}
	return false;
}

static void note_neighbors(StoreCounts *c, const Access *a) {
	c->lanes += (uint64_t)__builtin_popcount(a->mask);
	FOR_LANES(l, a->width == WORD ? a->mask & a->mask << 1 : 0) {
		c->neighbors += a->addr[l] == a->addr[l - 1] + WORD;
	}
}

static void note_words(Loads *s, uint64_t from, uint64_t bytes) {
	while (s->tile.len * WORD < from + bytes) vec_push(&s->tile, false);
	for (uint64_t at = from; at < from + bytes; at += WORD) s->tile.data[at / WORD] = true;
}

static void note_tile(Loads *s, const Access *a) {
	FOR_LANES(l, a->mask) {
		note_words(s, a->addr[l], a->width);
	}
}

void loads_bulk(Loads *s, uint64_t at, uint32_t bytes) {
	note_words(s, at, bytes);
}

static uint64_t operand(const Access *a, uint32_t lane) {
	uint64_t x = 0;
	if (a->kind != ACCESS_LOAD && a->elements)
		memcpy(&x, a->regs + a->slots[0] + (size_t)lane * a->container, a->container);
	return x;
}

bool loads_repeats(Loads *s, const Access *a) {
	Last *last = &s->warps[a->warp % WARPS].last;
	bool same = last->mask && a->instr == last->instr && !(a->mask & ~last->mask);
	FOR_LANES(l, a->mask) {
		const uint64_t x = operand(a, l);
		same = same && last->addr[l] == a->addr[l] && last->operand[l] == x;
		last->addr[l] = a->addr[l];
		last->operand[l] = x;
	}
	last->instr = a->instr;
	last->mask = a->mask;
	return same;
}

static void add_store(Loads *s, WarpLoads *w, const Access *a, uint32_t words) {
	if (a->space == SPACE_SHARED) {
		note_neighbors(&s->shared, a);
		if (a->owner == a->block) note_tile(s, a);
		return;
	}
	note_neighbors(&s->global, a);
	w->stores++;
	FOR_LANES(l, a->mask) {
		w->stored[l] += words;
	}
}

void loads_add(Loads *s, const Access *a) {
	WarpLoads *w = &s->warps[a->warp % WARPS];
	const uint32_t words = (a->width + WORD - 1) / WORD;
	if (a->kind == ACCESS_STORE) {
		add_store(s, w, a, words);
		return;
	}
	const int lanes = __builtin_popcount(a->mask);
	w->words += (uint64_t)lanes * words;
	note_lanes(w, a->mask);
	if (lanes <= FEW)
		FOR_LANES(l, a->mask) {
			w->with_few[l] += words;
		}
	if (a->space == SPACE_GLOBAL) {
		current(w)->loads++;
		w->requests++;
		w->global_words += (uint64_t)lanes * words;
		if (w->stores) w->late_words += (uint64_t)lanes * words;
	} else {
		current(w)->uses++;
		w->combines = w->combines || is_several_words(a);
	}
}

void loads_exchange(Loads *s, uint32_t warp, uint32_t mask) {
	WarpLoads *w = &s->warps[warp % WARPS];
	note_lanes(w, mask);
	w->combines = true;
}

void loads_barrier(Loads *s, uint32_t warp) {
	WarpLoads *w = &s->warps[warp % WARPS];
	w->lanes = 0;
	w->tail = w->tail_lanes = 0;
	const Interval *now = current(w);
	if ((now->loads || now->uses) && w->intervals.len < MOST_INTERVALS) vec_push(&w->intervals, ((Interval){0}));
}

static uint64_t serial_of(const Interval *intervals, size_t n) {
	uint64_t loads = 0, uses = 0, apart = 0;
	for (size_t i = 0; i < n; i++) {
		loads += intervals[i].loads;
		uses += intervals[i].uses;
	}
	if (!uses) return loads;
	for (size_t i = 0; i < n; i++) {
		const uint64_t a = intervals[i].loads * uses, b = intervals[i].uses * loads;
		apart += a > b ? a - b : 0;
	}
	return apart / uses;
}

static uint64_t larger(uint64_t a, uint64_t b) {
	return a > b ? a : b;
}

LoadCounts loads_counts(const Loads *s) {
	LoadCounts most = {.shared = s->shared, .global = s->global};
	uint64_t longest = 0; /* of what follows the last barriers */
	for (uint32_t i = 0; i < WARPS; i++) {
		const WarpLoads *w = &s->warps[i];
		most.warp = larger(most.warp, w->requests);
		most.warp_words = larger(most.warp_words, w->global_words);
		most.warp_all = larger(most.warp_all, w->words);
		most.block_words += w->global_words;
		most.serial += serial_of(w->intervals.data, w->intervals.len);
		most.words += w->words;
		most.warp_stores = larger(most.warp_stores, w->stores);
		most.last_lanes = (uint32_t)larger(most.last_lanes, (uint64_t)__builtin_popcount(w->lanes));
		most.combining += w->combines;
		most.late_words += w->late_words;
		if (w->tail > longest) {
			longest = w->tail;
			most.end_lanes = (uint32_t)(w->tail_lanes / w->tail);
		}
		for (uint32_t l = 0; l < LANES; l++) {
			most.lone_thread = larger(most.lone_thread, w->with_few[l]);
			most.thread_stored = larger(most.thread_stored, w->stored[l]);
		}
	}
	for (size_t i = 0; i < s->tile.len; i++) most.tile_words += s->tile.data[i];
	return most;
}

void loads_free(Loads *s) {
	for (uint32_t i = 0; s && i < WARPS; i++) vec_free(&s->warps[i].intervals);
	if (s) vec_free(&s->tile);
	free(s);
}
