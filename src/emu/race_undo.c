/* race.h: what global memory held before the launch wrote to it, page by page, so that the launch may begin anew.
 * Every host thread keeps a page before its own first store there; the page's lock sees to it that the first of them does it, before
 * any of them stores. Memory that was filled with one pattern of eight bytes, as poisoned buffers are, needs no copy. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "emu/memory.h"
#include "emu/race.h"

enum { STRIPES = 64, PAGE_BYTES = 1 << PAGE_SHIFT, PATTERN = 8 };

typedef struct {
	uint8_t *to;
	size_t bytes;
	const uint8_t *copy; /* NULL: the pattern all over */
	uint8_t pattern[PATTERN];
} Kept;

typedef struct {
	uint64_t page;
	Kept memory, written;
} KeptPage;

/* Pages are spread over stripes. */
typedef struct {
	pthread_mutex_t lock;
	VEC(KeptPage) pages;
	uint32_t *slots; /* open addressing: index + 1 */
	uint32_t nslots;
} Stripe;

struct Undo {
	const Memory *memory;
	Stripe stripes[STRIPES];
};

Undo *undo_new(const Memory *memory) {
	Undo *u = xcalloc(1, sizeof *u);
	u->memory = memory;
	for (unsigned i = 0; i < STRIPES; i++) pthread_mutex_init(&u->stripes[i].lock, NULL);
	return u;
}

void undo_free(Undo *u) {
	if (!u) return;
	for (unsigned i = 0; i < STRIPES; i++) {
		pthread_mutex_destroy(&u->stripes[i].lock);
		vec_free(&u->stripes[i].pages);
		free(u->stripes[i].slots);
	}
	free(u);
}

static uint32_t *slot_of(const Stripe *s, uint64_t page) {
	for (uint64_t i = page / STRIPES;; i++) {
		uint32_t *slot = &s->slots[i & (s->nslots - 1)];
		if (!*slot || s->pages.data[*slot - 1].page == page) return slot;
	}
}

static void grow(Stripe *s) {
	free(s->slots);
	s->nslots = s->nslots ? 2 * s->nslots : 64;
	s->slots = xcalloc(s->nslots, sizeof *s->slots);
	for (size_t i = 0; i < s->pages.len; i++) *slot_of(s, s->pages.data[i].page) = (uint32_t)i + 1;
}

static Kept keep(Race *r, uint8_t *from, size_t bytes) {
	Kept k = {.to = from, .bytes = bytes};
	if (bytes >= PATTERN) memcpy(k.pattern, from, PATTERN);
	if (bytes >= PATTERN && !memcmp(from, from + PATTERN, bytes - PATTERN)) return k;
	uint8_t *copy = race_room(r, (bytes + 63) / 64 * 64);
	memcpy(copy, from, bytes);
	k.copy = copy;
	return k;
}

static KeptPage keep_page(const Undo *u, Race *r, uint64_t addr) {
	KeptPage p = {.page = addr >> PAGE_SHIFT};
	const Allocation *a = memory_find(u->memory, addr);
	if (!a || !a->host) return p;
	const uint64_t first = p.page << PAGE_SHIFT;
	const size_t begin = first > a->base ? (size_t)(first - a->base) : 0;
	const size_t end = a->bytes < begin + PAGE_BYTES ? a->bytes : (size_t)(first + PAGE_BYTES - a->base);
	p.memory = keep(r, a->host + begin, end - begin);
	if (a->written) p.written = keep(r, a->written + begin / 8, (end + 7) / 8 - begin / 8);
	return p;
}

void undo_keep(Undo *u, Race *r, uint64_t addr) {
	const uint64_t page = addr >> PAGE_SHIFT;
	Stripe *s = &u->stripes[page % STRIPES];
	pthread_mutex_lock(&s->lock);
	if (2 * s->pages.len >= s->nslots) grow(s);
	uint32_t *slot = slot_of(s, page);
	if (!*slot) {
		vec_push(&s->pages, keep_page(u, r, addr));
		*slot = (uint32_t)s->pages.len;
	}
	pthread_mutex_unlock(&s->lock);
}

static void put_back(const Kept *k) {
	if (k->copy)
		memcpy(k->to, k->copy, k->bytes);
	else
		for (size_t i = 0; i < k->bytes; i++) k->to[i] = k->pattern[i % PATTERN];
}

void undo_put_back(Undo *u) {
	for (unsigned i = 0; i < STRIPES; i++)
		for (size_t p = 0; p < u->stripes[i].pages.len; p++) {
			put_back(&u->stripes[i].pages.data[p].memory);
			put_back(&u->stripes[i].pages.data[p].written);
		}
}
