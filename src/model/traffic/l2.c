#include "model/traffic/l2.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

enum {
	FOLLOWED_LINES = 1024, /* of a full L2, at least: enough that a few more or less decide nothing */
	PAGE_LINES = 8,        /* of DRAM: 1 KB, which are followed together */
	MOST_USES = 1 << 18    /* beyond it every second line is let go: sorting them takes no longer than counting */
};

/* Another hash than NumberMap's, in which followed lines would all be neighbors. */
static inline bool is_followed(uint64_t line, uint32_t level) {
	return !level || line / PAGE_LINES * 0xD6E8FEB86659FD93u >> (64 - level) == 0;
}

L2 l2_new(size_t bytes) {
	L2 l2 = {.block = UINT32_MAX};
	while (bytes / CACHE_LINE_BYTES >> (l2.level + 1) >= FOLLOWED_LINES) l2.level++;
	return l2;
}

L2 l2_like(const L2 *l2) {
	return (L2){.level = l2->level, .block = UINT32_MAX};
}

void l2_free(L2 *l2) {
	number_map_free(&l2->warps);
	vec_free(&l2->uses);
}

/* A key of `warps`. */
static uint64_t key_of(uint32_t block, uint32_t warp) {
	return (uint64_t)block * (L2_WARPS + 1) + warp;
}

static void keep_asked(L2 *l2) {
	if (!l2->followed) return;
	*number_map_at(&l2->warps, key_of(l2->block, L2_WARPS)) = l2->followed;
	for (uint32_t left = l2->followed; left; left &= left - 1) {
		const uint32_t warp = (uint32_t)__builtin_ctz(left);
		*number_map_at(&l2->warps, key_of(l2->block, warp)) = l2->asked[warp];
	}
}

void l2_begin(L2 *l2, uint32_t block) {
	keep_asked(l2);
	l2->block = block;
	memset(l2->asked, 0, sizeof l2->asked);
	l2->followed = (uint32_t)number_map_get(&l2->warps, key_of(block, L2_WARPS));
	for (uint32_t left = l2->followed; left; left &= left - 1) {
		const uint32_t warp = (uint32_t)__builtin_ctz(left);
		l2->asked[warp] = number_map_get(&l2->warps, key_of(block, warp));
	}
}

static void keep_followed(L2 *l2) {
	size_t kept = 0;
	for (size_t i = 0; i < l2->uses.len; i++)
		if (is_followed(l2->uses.data[i].line, l2->level)) l2->uses.data[kept++] = l2->uses.data[i];
	l2->uses.len = kept;
}

/* Which lines are left depends on the launch alone, not on how its blocks were dealt out: a thread that has too many
 * uses shows that all have. */
static void let_go(L2 *l2) {
	while (l2->uses.len > MOST_USES) {
		l2->level++;
		keep_followed(l2);
	}
}

static __attribute__((noinline)) void follow(L2 *l2, uint32_t warp, uint64_t line, uint32_t sectors, bool store) {
	vec_push(&l2->uses, (L2Use){line, l2->asked[warp], l2->block, (uint8_t)warp, (uint8_t)sectors, store});
	l2->followed |= 1u << warp;
	let_go(l2);
}

void l2_use(L2 *l2, uint32_t warp, uint64_t origin, const TouchedLine *lines, uint32_t n, bool store) {
	for (uint32_t i = 0; i < n; i++) {
		const uint64_t line = origin / SECTORS_PER_LINE + touched_number(lines[i]);
		if (is_followed(line, l2->level)) follow(l2, warp, line, touched_sectors(lines[i]), store);
	}
	l2->asked[warp] += n;
}

void l2_join(L2 *to, L2 *from) {
	to->level = from->level > to->level ? from->level : to->level;
	for (size_t i = 0; i < from->uses.len; i++) {
		const L2Use *use = &from->uses.data[i];
		const uint64_t key = key_of(use->block, use->warp);
		*number_map_at(&to->warps, key) = number_map_get(&from->warps, key);
		vec_push(&to->uses, *use);
	}
	keep_followed(to);
	let_go(to);
	l2_free(from);
}

/* --- in the order of a GPU --------------------------------------------------------------------------------------- */

typedef struct {
	double when; /* in waves */
	size_t index;
	const L2Use *use;
} Placed;

static int by_time(const void *a, const void *b) {
	const Placed *x = a, *y = b;
	if (x->when != y->when) return x->when < y->when ? -1 : 1;
	if (x->use->block != y->use->block) return x->use->block < y->use->block ? -1 : 1;
	if (x->use->warp != y->use->warp) return x->use->warp < y->use->warp ? -1 : 1;
	return x->index < y->index ? -1 : 1;
}

static Placed *placed(const L2 *l2, uint64_t wave) {
	Placed *out = xcalloc(l2->uses.len, sizeof *out);
	for (size_t i = 0; i < l2->uses.len; i++) {
		const L2Use *use = &l2->uses.data[i];
		const double asked = (double)number_map_get(&l2->warps, key_of(use->block, use->warp));
		out[i] = (Placed){(double)(use->block / wave) + (double)use->at / asked, i, use};
	}
	qsort(out, l2->uses.len, sizeof *out, by_time);
	return out;
}

typedef struct {
	size_t last;                          /* its last use */
	uint8_t here, changed, read, written; /* sectors: in L2, of these not in DRAM, and ever */
	uint8_t copies;                       /* bit i: half i of L2 has one */
} Line;

typedef struct {
	VEC(Line) lines;
	NumberMap index; /* by number: index in lines + 1 */
	uint64_t wave;
	size_t room, places; /* copies of lines: at most, and those that are there */
	bool halves;
	NumberMap pages; /* the wave that last read or wrote a page, + 1 */
	uint64_t opened;
	uint64_t read, fetched, written, stored; /* sectors: different ones, and transfers */
} Cache;

static inline uint32_t count_of(uint32_t sectors) {
	return (uint32_t)__builtin_popcount(sectors);
}

static Line *line_of(Cache *c, uint64_t number) {
	uint64_t *index = number_map_at(&c->index, number);
	if (!*index) {
		vec_push(&c->lines, (Line){0});
		*index = c->lines.len;
	}
	return &c->lines.data[*index - 1];
}

static void lose(Cache *c, Line *line) {
	c->places -= count_of(line->copies);
	c->stored += count_of(line->changed);
	line->here = line->changed = line->copies = 0;
}

/* Which half an SM belongs to is not known: a half of the blocks is taken to run in each. */
static uint8_t half_of(const Cache *c, uint32_t block) {
	return c->halves && block * UINT64_C(0x9E3779B97F4A7C15) >> 63 ? 2 : 1;
}

/* What the blocks of a wave read of a page, or write, finds it open after the first time. */
static void open_page(Cache *c, const L2Use *use) {
	uint64_t *last = number_map_at(&c->pages, use->line / PAGE_LINES << 1 | use->store),
			 wave = use->block / c->wave + 1;
	c->opened += *last != wave;
	*last = wave;
}

static void use_line(Cache *c, const L2Use *use, size_t now) {
	Line *line = line_of(c, use->line);
	const uint8_t half = half_of(c, use->block);
	if (use->sectors & ~(use->store ? line->changed : line->here)) open_page(c, use);
	line->last = now;
	if (use->store) {
		c->written += count_of(use->sectors & ~line->written);
		line->written |= use->sectors;
		line->changed |= use->sectors;
	} else {
		c->fetched += count_of(use->sectors & ~line->here);
		c->read += count_of(use->sectors & ~line->read);
		line->read |= use->sectors;
	}
	if (!line->here || (!use->store && !(line->copies & half))) {
		line->copies |= half;
		c->places++;
	}
	line->here |= use->sectors;
}

/* The least recently used line is the one whose last use is the oldest of all: uses before `oldest` are of lines that
 * are gone, or that were used again. */
static void run(Cache *c, const Placed *uses, size_t n) {
	size_t oldest = 0;
	for (size_t i = 0; i < n; i++) {
		use_line(c, uses[i].use, i);
		for (; c->places > c->room; oldest++) {
			Line *line = line_of(c, uses[oldest].use->line);
			if (line->last == oldest) lose(c, line);
		}
	}
	for (size_t i = 0; i < c->lines.len; i++) lose(c, &c->lines.data[i]);
}

L2Repeats l2_repeats(const L2 *l2, uint64_t wave, double bytes, bool halves) {
	const double followed = (double)(UINT64_C(1) << l2->level);
	Cache cache = {.room = (size_t)(bytes / CACHE_LINE_BYTES / followed), .halves = halves, .wave = wave};
	Placed *uses = placed(l2, wave);
	run(&cache, uses, l2->uses.len);
	free(uses);
	vec_free(&cache.lines);
	number_map_free(&cache.index);
	number_map_free(&cache.pages);
	const double pages = (double)(cache.fetched + cache.stored) / (SECTORS_PER_LINE * PAGE_LINES);
	return (L2Repeats){pages > 0 ? fmax(1, (double)cache.opened / pages) : 1,
					   cache.read ? (double)cache.fetched / (double)cache.read : 1,
					   cache.written ? (double)cache.stored / (double)cache.written : 1};
}
