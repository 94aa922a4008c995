#include "emu/count/touched.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"

enum { PAGE_SHIFT = 12, PAGE_BYTES = 1 << PAGE_SHIFT, PAGE_WORDS = PAGE_BYTES / 64, KINDS = 3 };

/* A bit per byte and kind. */
typedef struct {
	uint64_t number; /* address >> PAGE_SHIFT */
	uint64_t kinds[KINDS][PAGE_WORDS];
} Page;

struct TouchedObserver {
	Observer base;
	VEC(Page *) pages;
	NumberMap index; /* of pages by number, + 1 */
	Page *last;      /* most accesses come back to it */
};

static Page *page_of(TouchedObserver *t, uint64_t number) {
	if (t->last && t->last->number == number) return t->last;
	uint64_t *index = number_map_at(&t->index, number);
	if (!*index) {
		vec_push(&t->pages, xcalloc(1, sizeof(Page)));
		vec_last(&t->pages)->number = number;
		*index = t->pages.len;
	}
	return t->last = t->pages.data[*index - 1];
}

static uint64_t ones(uint64_t n) {
	return n >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << n) - 1;
}

static void mark(TouchedObserver *t, int kind, uint64_t addr, uint64_t bytes) {
	while (bytes) {
		const uint64_t at = addr % PAGE_BYTES, room = 64 - at % 64, n = bytes < room ? bytes : room;
		page_of(t, addr >> PAGE_SHIFT)->kinds[kind][at / 64] |= ones(n) << at % 64;
		addr += n;
		bytes -= n;
	}
}

static int kind_of(AccessKind kind) {
	return kind == ACCESS_LOAD ? 0 : kind == ACCESS_STORE ? 1 : 2;
}

/* Lanes that access a row are one piece of it. */
static void on_access(Observer *self, const Access *a) {
	TouchedObserver *t = (TouchedObserver *)self;
	if (a->space != SPACE_GLOBAL) return;
	uint64_t first = 0, end = 0;
	FOR_LANES(l, a->mask) {
		if (a->addr[l] >= first && a->addr[l] + a->width <= end) continue; /* as the lane before */
		if (a->addr[l] != end) {
			mark(t, kind_of(a->kind), first, end - first);
			first = a->addr[l];
		}
		end = a->addr[l] + a->width;
	}
	mark(t, kind_of(a->kind), first, end - first);
}

static void on_bulk(Observer *self, const BulkRow *row) {
	mark((TouchedObserver *)self, kind_of(row->kind), row->addr, row->bytes);
}

static void clear(TouchedObserver *t) {
	for (size_t i = 0; i < t->pages.len; i++) free(t->pages.data[i]);
	vec_free(&t->pages);
	number_map_free(&t->index);
	t->last = NULL;
}

static void on_launch_begin(Observer *self, const LaunchInfo *info) {
	(void)info;
	clear((TouchedObserver *)self);
}

static Observer *on_fork(Observer *self) {
	(void)self;
	return touched_base(touched_new());
}

static void on_join(Observer *self, Observer *forked) {
	TouchedObserver *t = (TouchedObserver *)self, *fork = (TouchedObserver *)forked;
	for (size_t i = 0; i < fork->pages.len; i++) {
		const Page *from = fork->pages.data[i];
		Page *to = page_of(t, from->number);
		for (int k = 0; k < KINDS; k++)
			for (int w = 0; w < PAGE_WORDS; w++) to->kinds[k][w] |= from->kinds[k][w];
	}
	touched_free(fork);
}

static const ObserverOps touched_ops = {
	.fork = on_fork,
	.join = on_join,
	.launch_begin = on_launch_begin,
	.access = on_access,
	.bulk = on_bulk,
};

TouchedObserver *touched_new(void) {
	TouchedObserver *t = xcalloc(1, sizeof *t);
	t->base.ops = &touched_ops;
	return t;
}

void touched_free(TouchedObserver *t) {
	if (!t) return;
	clear(t);
	free(t);
}

Observer *touched_base(TouchedObserver *t) {
	return &t->base;
}

/* --- pieces ------------------------------------------------------------------------------------------------------- */

typedef VEC(Touched) Pieces;

static void add_piece(Pieces *p, uint64_t addr, uint64_t bytes, uint32_t kinds) {
	Touched *last = p->len ? &vec_last(p) : NULL;
	if (last && last->kinds == kinds && last->addr + last->bytes == addr)
		last->bytes += bytes;
	else if (p->len <= MOST_TOUCHED)
		vec_push(p, ((Touched){addr, bytes, kinds}));
}

/* From one change of any kind to the next. */
static void add_word(Pieces *p, const Page *page, int word) {
	const uint64_t base = (page->number << PAGE_SHIFT) + 64 * (uint64_t)word;
	for (uint32_t at = 0; at < 64;) {
		uint64_t changes = 0;
		uint32_t kinds = 0;
		for (int k = 0; k < KINDS; k++) {
			const uint64_t bits = page->kinds[k][word] >> at;
			kinds |= (uint32_t)(bits & 1) << k;
			changes |= bits & 1 ? ~bits : bits;
		}
		uint32_t n = changes ? (uint32_t)__builtin_ctzll(changes) : 64;
		if (n > 64 - at) n = 64 - at;
		if (kinds) add_piece(p, base + at, n, kinds);
		at += n;
	}
}

static int by_number(const void *a, const void *b) {
	const uint64_t x = (*(const Page *const *)a)->number, y = (*(const Page *const *)b)->number;
	return (x > y) - (x < y);
}

Touched *touched_of(const TouchedObserver *t, uint32_t *n) {
	Pieces pieces = {0};
	Page **pages = xcalloc(t->pages.len + 1, sizeof *pages);
	if (t->pages.len) memcpy(pages, t->pages.data, t->pages.len * sizeof *pages);
	qsort(pages, t->pages.len, sizeof *pages, by_number);
	for (size_t i = 0; i < t->pages.len; i++)
		for (int w = 0; w < PAGE_WORDS; w++) add_word(&pieces, pages[i], w);
	free(pages);
	if (pieces.len > MOST_TOUCHED) vec_free(&pieces);
	*n = (uint32_t)pieces.len;
	return pieces.data;
}
