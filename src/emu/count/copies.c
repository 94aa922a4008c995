#include "emu/count/copies.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/vec.h"
#include "emu/code/async.h"

/* The lanes of a warp are taken together: they commit and wait in the same instructions. */
typedef struct {
	uint64_t open;        /* bytes of copies without a group */
	VEC(uint64_t) groups; /* bytes of each that was not waited for, the oldest first */
	uint64_t in_flight;   /* bytes of all these */
} WarpCopies;

struct Copies {
	WarpCopies warps[LANES]; /* a block has at most 32 */
	CopyCounts counts;
};

Copies *copies_new(void) {
	return xcalloc(1, sizeof(Copies));
}

static void copy(WarpCopies *w, uint64_t bytes) {
	w->open += bytes;
	w->in_flight += bytes;
}

static void commit(WarpCopies *w) {
	vec_push(&w->groups, w->open);
	w->open = 0;
}

static void wait_for_all_but(WarpCopies *w, size_t keep) {
	const size_t kept = keep < w->groups.len ? keep : w->groups.len, done = w->groups.len - kept;
	for (size_t i = 0; i < done; i++) w->in_flight -= w->groups.data[i];
	for (size_t i = 0; i < kept; i++) w->groups.data[i] = w->groups.data[done + i];
	w->groups.len = kept;
}

void copies_add(Copies *c, const AsyncEvent *e) {
	WarpCopies *w = &c->warps[e->warp % LANES];
	if (e->kind == ASYNC_COPY) copy(w, (uint64_t)__builtin_popcount(e->mask) * e->bytes);
	const bool all = e->kind == ASYNC_WAIT && e->keep == ASYNC_ALL; /* which commits, too */
	if (e->kind == ASYNC_COMMIT || all) commit(w);
	if (e->kind == ASYNC_WAIT) wait_for_all_but(w, all ? 0 : e->keep);
}

void copies_use(Copies *c, uint32_t warp) {
	if (!c) return;
	c->counts.uses++;
	c->counts.in_flight += c->warps[warp % LANES].in_flight;
}

CopyCounts copies_counts(const Copies *c) {
	return c ? c->counts : (CopyCounts){0};
}

void copies_free(Copies *c) {
	if (!c) return;
	for (int w = 0; w < LANES; w++) vec_free(&c->warps[w].groups);
	free(c);
}
