/* race.h: the contents of global memory before the launch wrote to it, page by page, so that the launch can restart.
 * Every host thread saves a page before its own first store there; the page's lock ensures that the first of them
 * does it, before any of them stores. Memory filled with one pattern of eight bytes, as in sentinel-filled buffers,
 * needs no copy. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "emu/check/race.h"
#include "emu/memory/memory.h"

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
	NumberMap index; /* by number: index in pages + 1 */
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
		number_map_free(&u->stripes[i].index);
	}
	free(u);
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
	uint64_t *index = number_map_at(&s->index, page);
	if (!*index) {
		vec_push(&s->pages, keep_page(u, r, addr));
		*index = s->pages.len;
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
