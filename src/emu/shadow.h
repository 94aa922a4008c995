/* The limit on host memory for the checkers' shadows of one launch, over all host threads. A checker reserves before
 * it allocates. When a reservation exceeds the limit the launch is stopped; this one allocation is still allowed, so
 * that no access fails halfway, and the checker ignores all later events (shadow_full). */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct {
	size_t limit;
	atomic_size_t used;
	_Atomic(const char *) full;    /* name of the check that passed the limit; NULL: none */
	void (*end_launch)(void *run); /* not stop: a macro of cmocka 2 */
	void *run;
} Shadow;

/* shadow NULL: no limit */
static inline void shadow_take(Shadow *s, const char *check, size_t bytes) {
	const char *none = NULL;
	if (!s || atomic_fetch_add_explicit(&s->used, bytes, memory_order_relaxed) + bytes <= s->limit) return;
	if (atomic_compare_exchange_strong(&s->full, &none, check) && s->end_launch) s->end_launch(s->run);
}

static inline bool shadow_full(const Shadow *s) {
	return s && atomic_load_explicit(&s->full, memory_order_relaxed);
}
