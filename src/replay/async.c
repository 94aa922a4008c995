/* sim.h: what is under way while the warp that began it goes on: copies into shared memory, products of a
 * warpgroup, and the phases of mbarriers. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "replay/sim.h"

static void commit(Groups *g) {
	const double before = g->n ? g->done[(g->n - 1) % MOST_GROUPS] : 0;
	g->done[g->n++ % MOST_GROUPS] = later(before, g->open);
	g->open = 0;
}

/* When all groups but the last `keep` are there. */
static double groups_done(const Groups *g, uint32_t keep) {
	if (keep >= MOST_GROUPS) keep = MOST_GROUPS - 1;
	return g->n > keep ? g->done[(g->n - 1 - keep) % MOST_GROUPS] : 0;
}

/* --- events ------------------------------------------------------------------------------------------------------- */

static void end_event(Sim *s, uint32_t slot, uint32_t event) {
	const EventState *e = &s->slots[slot].events[event];
	for (uint32_t i = 0; i < s->warps_per_block; i++) {
		Warp *w = &s->all[slot * s->warps_per_block + i];
		if (!w->running || w->event != event + 1) continue;
		w->event = 0;
		w->ready = later(w->ready, e->last);
		w->why = e->why;
		warp_wake(s, w);
	}
}

static void tell(Sim *s, uint32_t slot, uint32_t event, double at, Stall why) {
	EventState *e = &s->slots[slot].events[event];
	if (at >= e->last) e->why = (uint8_t)why;
	e->last = later(e->last, at);
	if (e->missing && --e->missing == 0) end_event(s, slot, event);
}

void async_wait(Sim *s, Warp *w, uint32_t event) {
	const EventState *e = &s->slots[w->slot].events[event];
	if (e->missing) {
		w->event = event + 1;
		return;
	}
	if (e->last > w->ready) w->why = e->why;
	w->ready = later(w->ready, e->last);
}

bool async_release(Sim *s) {
	bool any = false;
	for (uint32_t i = 0; i < s->sm->resident * s->warps_per_block; i++) {
		Warp *w = &s->all[i];
		if (!w->running || !w->event) continue;
		w->event = 0;
		w->ready = later(w->ready, s->now);
		warp_wake(s, w);
		any = true;
	}
	return any;
}

/* How often each event of a recorded block is told, in the part of its warps' way that is replayed. */
static void count_events(const Sim *s, const ReplayWarp *w, EventState *events) {
	const uint32_t end = w->nvisits ? w->visits[w->nvisits].access : 0;
	for (uint32_t i = w->nvisits ? w->visits[0].access : 0; i < end; i++) {
		const ReplayAccess *a = &w->accesses[i];
		if ((a->kind == REPLAY_SIGNAL || a->kind == REPLAY_SIGNAL_LATER) && a->event < s->nevents)
			events[a->event].missing++;
	}
}

static uint32_t most_events(const Sim *s) {
	uint32_t most = 0;
	for (uint32_t i = 0; i < s->nrecorded * s->warps_per_block; i++) {
		const ReplayWarp *w = &s->warps[i];
		for (uint32_t k = 0; w->nvisits && k < w->visits[w->nvisits].access; k++)
			if (w->accesses[k].kind >= REPLAY_SIGNAL && w->accesses[k].event >= most) most = w->accesses[k].event + 1;
	}
	return most;
}

void async_alloc(Sim *s) {
	s->nevents = most_events(s);
	if (!s->nevents) return;
	s->untold = xcalloc((size_t)s->nrecorded * s->nevents, sizeof *s->untold);
	for (uint32_t i = 0; i < s->nrecorded * s->warps_per_block; i++)
		count_events(s, &s->warps[i], s->untold + (size_t)(i / s->warps_per_block) * s->nevents);
	for (uint32_t i = 0; i < s->sm->resident; i++) s->slots[i].events = xcalloc(s->nevents, sizeof *s->untold);
}

void async_free(Sim *s) {
	for (uint32_t i = 0; s->nevents && i < s->sm->resident; i++) free(s->slots[i].events);
	free(s->untold);
}

/* --- what an op begins -------------------------------------------------------------------------------------------- */

static double copy(Sim *s, Warp *w, const ReplayAccess *a, double now) {
	if (a->kind == REPLAY_LOAD) return a->nsectors ? memory_load(s, w, a, now) : now;
	const double done =
		a->kind == REPLAY_ATOMIC ? memory_atomic(s, a, now) : memory_store(s, now, a->nsectors, a->lines);
	w->stores = later(w->stores, done);
	return done;
}

double async_begin(Sim *s, Warp *w, double now, double at, Stall *why, uint32_t *event) {
	const ReplayAccess *end = &w->trace->accesses[w->trace->visits[w->visit + 1].access], *a = w->asks;
	const bool bulk = w->next->unit == UNIT_BULK;
	double done = bulk ? now : at, wait = 0;
	for (; a && a < end && a->instr == w->asks->instr; a++) {
		switch ((ReplayKind)a->kind) {
		case REPLAY_COMMIT: commit(&w->copies); break;
		case REPLAY_COMMIT_PRODUCTS: commit(&w->products); break;
		case REPLAY_WAIT:
		case REPLAY_WAIT_PRODUCTS:
			wait = groups_done(a->kind == REPLAY_WAIT ? &w->copies : &w->products, a->passes);
			*why = STALL_LONG_SCOREBOARD; /* as on an H100, where next to none is of `gmma` */
			break;
		case REPLAY_SIGNAL: tell(s, w->slot, a->event, done, bulk ? STALL_LONG_SCOREBOARD : STALL_BARRIER); break;
		case REPLAY_SIGNAL_LATER:
			tell(s, w->slot, a->event, later(done, later(groups_done(&w->copies, 0), w->copies.open)),
				 STALL_LONG_SCOREBOARD);
			break;
		case REPLAY_AWAIT: *event = a->event; break;
		default:
			if (bulk) done = later(done, copy(s, w, a, now));
		}
	}
	if (w->next->unit == UNIT_GLOBAL) w->copies.open = later(w->copies.open, at);
	if (w->next->unit == UNIT_MATRIX) w->products.open = later(w->products.open, w->part->unit_free[UNIT_MATRIX]);
	return wait;
}
