/* sim.h: which warps of a part sleep until their operands are there, and which wait for their unit. Few of a list are
 * looked at: who wakes or begins to wait mostly does so last, or else soon. */
#include <math.h>

#include "replay/sim.h"

/* after: NULL: at the end. */
static void put_before(Warps *list, Warp *w, Warp *after) {
	Warp *before = after ? after->before : list->last;
	w->before = before;
	w->after = after;
	*(before ? &before->after : &list->first) = w;
	*(after ? &after->before : &list->last) = w;
}

void warps_remove_first(Warps *list) {
	Warp *first = list->first->after;
	*(first ? &first->before : &list->last) = NULL;
	list->first = first;
}

/* Searched from both ends. */
static void fall_asleep(Warps *sleeping, Warp *w) {
	Warp *a = sleeping->first, *b = sleeping->last;
	while (a && a->ready <= w->ready && b->ready > w->ready) {
		a = a->after;
		b = b->before;
	}
	put_before(sleeping, w, !a || a->ready > w->ready ? a : b->after);
}

void warp_wake(Sim *s, Warp *w) {
	Part *p = w->part;
	if (!w->running || w->waits || w->event) return;
	fall_asleep(&p->sleeping, w);
	if (p->idle || w->ready < p->clock) p->clock = later(later(ceil(w->ready), p->issued), s->now);
	p->idle = false;
}

static void begin_to_wait(Part *p, Warp *w) {
	const ReplayUnit unit = w->next->unit;
	Warps *list = &p->ready[unit];
	Warp *before = list->last;
	while (before && waits_longer(w, before)) before = before->before;
	put_before(list, w, before ? before->after : list->first);
	p->units |= 1u << unit;
	w->seen = p->others[unit];
}

void part_collect(Part *p, double now) {
	for (Warp *w; (w = p->sleeping.first) && w->ready <= now;) {
		warps_remove_first(&p->sleeping);
		begin_to_wait(p, w);
	}
}
