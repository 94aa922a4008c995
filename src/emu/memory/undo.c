/* undo.h. What is one pattern of eight bytes all over, as in sentinel-filled buffers, needs no copy. */
#include "emu/memory/undo.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"

enum { STRIPES = 64, PATTERN = 8 };
#define WRITTEN_BITS (UINT64_C(1) << 63) /* of a page's key: which of its bytes were written */

typedef struct {
	uint64_t key;
	uint8_t *to, *copy; /* copy NULL: the pattern */
	size_t bytes;
	uint8_t pattern[PATTERN];
} Piece;

/* Pages are spread over stripes. */
typedef struct {
	pthread_mutex_t lock;
	VEC(Piece) pieces;
	NumberMap index; /* by key: index in pieces + 1 */
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

static size_t keep(Stripe *s, uint64_t key, uint8_t *from, size_t bytes) {
	Piece p = {.key = key, .to = from, .bytes = bytes};
	if (bytes >= PATTERN) memcpy(p.pattern, from, PATTERN);
	if (bytes < PATTERN || memcmp(from, from + PATTERN, bytes - PATTERN) != 0)
		p.copy = memcpy(xmalloc(bytes + 1), from, bytes);
	vec_push(&s->pieces, p);
	*number_map_at(&s->index, key) = s->pieces.len;
	return p.copy ? bytes : 0;
}

static size_t keep_page(const Undo *u, Stripe *s, uint64_t addr) {
	const Allocation *a = memory_find(u->memory, addr);
	if (!a || !a->host) return 0;
	const uint64_t page = addr >> UNDO_SHIFT, first = page << UNDO_SHIFT, next = first + (UINT64_C(1) << UNDO_SHIFT);
	const size_t begin = first > a->base ? (size_t)(first - a->base) : 0,
				 end = next - a->base < a->bytes ? (size_t)(next - a->base) : a->bytes;
	size_t took = keep(s, page, a->host + begin, end - begin);
	if (a->written) took += keep(s, page | WRITTEN_BITS, a->written + begin / 8, (end + 7) / 8 - begin / 8);
	return took;
}

size_t undo_keep(Undo *u, uint64_t addr) {
	const uint64_t page = addr >> UNDO_SHIFT;
	Stripe *s = &u->stripes[page % STRIPES];
	pthread_mutex_lock(&s->lock);
	const size_t took = number_map_get(&s->index, page) ? 0 : keep_page(u, s, addr);
	pthread_mutex_unlock(&s->lock);
	return took;
}

void undo_keep_bytes(Undo *u, uint64_t key, uint8_t *from, size_t bytes) {
	Stripe *s = &u->stripes[key % STRIPES];
	if (!number_map_get(&s->index, key)) keep(s, key, from, bytes);
}

static void put_back(const Piece *p) {
	if (p->copy) memcpy(p->to, p->copy, p->bytes);
	for (size_t i = 0; !p->copy && i < p->bytes; i++) p->to[i] = p->pattern[i % PATTERN];
}

static void forget(Stripe *s, bool back) {
	for (size_t i = 0; i < s->pieces.len; i++) {
		if (back) put_back(&s->pieces.data[i]);
		free(s->pieces.data[i].copy);
	}
	vec_free(&s->pieces);
	number_map_free(&s->index);
}

void undo_back(Undo *u) {
	for (unsigned i = 0; i < STRIPES; i++) forget(&u->stripes[i], true);
}

void undo_free(Undo *u) {
	for (unsigned i = 0; u && i < STRIPES; i++) {
		forget(&u->stripes[i], false);
		pthread_mutex_destroy(&u->stripes[i].lock);
	}
	free(u);
}

void undo_merge(Undo *earlier, Undo *later) {
	for (unsigned i = 0; i < STRIPES; i++) {
		Stripe *to = &earlier->stripes[i], *from = &later->stripes[i];
		for (size_t k = 0; k < from->pieces.len; k++) {
			Piece *p = &from->pieces.data[k];
			if (number_map_get(&to->index, p->key)) continue;
			vec_push(&to->pieces, *p);
			*number_map_at(&to->index, p->key) = to->pieces.len;
			p->copy = NULL;
		}
	}
	undo_free(later);
}
