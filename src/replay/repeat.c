/* sim.h: a warp that is alone on the SM and repeats itself.
 *
 * Nothing competes with it, so an iteration of a loop takes as long as the last one if the machine is in the same state
 * at its beginning, all times taken from there, and if the iteration asks the same of memory and L1 has as much of it.
 * The state at the beginning of a visit is kept; where it comes back, the visits in between are a period. Further ones
 * are not replayed but counted. Times that differ by less than SAME cycles are the same. */
#include "replay/sim.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LOADS = 32, MOST_PERIOD = 256 /* visits */ };
#define SAME 1e-6

typedef struct {
	uint32_t visit, access; /* access: from the visit's first one on */
	uint32_t misses, lines;
	double start, filled; /* filled: of what missed */
	bool waits;           /* for a sector that is on its way */
} Load;

struct Repeat {
	uint32_t ntimes;
	double *then, *now;   /* [ntimes] the state, from the beginning of the visit on */
	double began;         /* of the visit that is kept */
	uint32_t visit, wait; /* the kept one; as many visits later another one is kept */
	const ReplayOp *next; /* NULL: none is kept */
	uint64_t issued;      /* the result up to there */
	double l2_loads, dram_written, totals[STALL_COUNT];
	double (*stalls)[STALL_COUNT];
	Load loads[MOST_LOADS];
	uint32_t nloads;
};

Repeat *repeat_new(const Sim *s) {
	Repeat *r = xcalloc(1, sizeof *r);
	r->ntimes = 3 * UNIT_COUNT + s->sm->queue + s->sm->global_queue + 2 * s->code->nregisters + 10;
	r->then = xcalloc(r->ntimes, sizeof *r->then);
	r->now = xcalloc(r->ntimes, sizeof *r->now);
	r->stalls = xcalloc(s->code->ninstrs + 1, sizeof *r->stalls);
	r->wait = 1;
	return r;
}

void repeat_free(Repeat *r) {
	if (!r) return;
	free(r->then);
	free(r->now);
	free(r->stalls);
	free(r);
}

void repeat_load(Sim *s, const Warp *w, const ReplayAccess *a, const MemoryLoad *load) {
	Repeat *r = s->repeat;
	if (r->nloads < MOST_LOADS)
		r->loads[r->nloads] =
			(Load){w->visit,     (uint32_t)(a - w->trace->accesses) - w->trace->visits[w->visit].access,
				   load->misses, load->lines,
				   load->start,  load->filled,
				   load->waits};
	r->nloads++;
}

/* --- the state ---------------------------------------------------------------------------------------------------- */

/* What is over makes no difference. */
static double *add_times(double *to, const double *times, uint32_t n, double now) {
	for (uint32_t i = 0; i < n; i++) *to++ = later(times[i] - now, 0);
	return to;
}

static double *add_queue(double *to, const Queue *q, uint32_t entries, double now) {
	for (uint32_t i = 1; i <= entries; i++) *to++ = later(q->starts[(q->at + MOST_QUEUE - i) % MOST_QUEUE] - now, 0);
	return to;
}

static void take_state(const Sim *s, const Warp *w, double now, double *to) {
	const Part *p = w->part;
	const double more[] = {w->ready, w->stores, s->lsu_free, s->l2_free, s->dram_free, s->atomics_free};
	to = add_times(to, more, sizeof more / sizeof *more, now);
	to = add_times(to, p->unit_free, UNIT_COUNT, now);
	to = add_times(to, p->gates, UNIT_COUNT, now);
	to = add_times(to, s->shared_free, UNIT_COUNT, now);
	to = add_queue(to, &p->queue, s->sm->queue, now);
	to = add_queue(to, &p->global, s->sm->global_queue, now);
	for (uint32_t i = 0; i < s->code->nregisters; i++) {
		to = add_times(to, &w->registers[i].at, 1, now);
		*to++ = w->registers[i].at > now ? w->registers[i].why : 0;
	}
	*to++ = w->why;
	*to++ = p->unit_free[UNIT_MULTIPLY] < p->unit_free[UNIT_INT]; /* which is next is no matter of now (UNIT_EITHER) */
	*to++ = p->conflicts;
	*to = s->dram_owed;
}

static bool is_same(const Repeat *r) {
	for (uint32_t i = 0; i < r->ntimes; i++)
		if (fabs(r->then[i] - r->now[i]) > SAME) return false;
	return true;
}

static void shift(double *times, uint32_t n, double by) {
	for (uint32_t i = 0; i < n; i++) times[i] += by;
}

static void shift_all(Sim *s, Warp *w, double by) {
	Part *p = w->part;
	double *const single[] = {&w->ready,     &w->since,        &w->noted, &w->stores, &s->lsu_free, &s->l2_free,
							  &s->dram_free, &s->atomics_free, &s->now,   &p->clock,  &p->issued};
	for (size_t i = 0; i < sizeof single / sizeof *single; i++) *single[i] += by;
	shift(p->unit_free, UNIT_COUNT, by);
	shift(p->gates, UNIT_COUNT, by);
	shift(s->shared_free, UNIT_COUNT, by);
	shift(p->queue.starts, MOST_QUEUE, by);
	shift(p->global.starts, MOST_QUEUE, by);
	for (uint32_t i = 0; i < s->code->nregisters; i++) w->registers[i].at += by;
}

/* --- what is asked ------------------------------------------------------------------------------------------------ */

/* All that is before the numbers of sectors. */
static bool asks_alike(const ReplayAccess *a, const ReplayAccess *b) {
	_Static_assert(offsetof(ReplayAccess, nsectors) == 9, "nothing is padded before it");
	return !memcmp(a, b, offsetof(ReplayAccess, nsectors) + 1);
}

/* Do visits [visit, visit + n) follow the way of those from `first` on, with accesses of the same size? The end of the
 * last one's accesses has to be known. */
static bool goes_alike(const ReplayWarp *t, uint32_t first, uint32_t visit, uint32_t n) {
	if (visit + n >= t->nvisits) return false;
	for (uint32_t i = 0; i < n; i++) {
		const ReplayVisit *a = &t->visits[first + i], *b = &t->visits[visit + i];
		const uint32_t accesses = a[1].access - a->access;
		if (a->block != b->block || b[1].access - b->access != accesses) return false;
		for (uint32_t k = 0; k < accesses; k++)
			if (!asks_alike(&t->accesses[a->access + k], &t->accesses[b->access + k])) return false;
	}
	return true;
}

/* Either all loads hit, and nothing changes in L1, or all miss: one load, or some of one sector each. What misses waits
 * by the share that writes have of the time so far, which no later period has again. */
static bool is_simple(const Sim *s, const Repeat *r) {
	uint32_t missing = 0, single = 0;
	if (r->nloads > MOST_LOADS) return false;
	for (uint32_t i = 0; i < r->nloads; i++) {
		if (r->loads[i].waits) return false;
		missing += r->loads[i].misses > 0;
		single += r->loads[i].misses == 1;
	}
	if (missing && s->dram_written > 0) return false;
	return !missing || (missing == r->nloads && (r->nloads == 1 || single == r->nloads));
}

static const ReplayAccess *access_at(const Warp *w, const Load *load, uint32_t visits) {
	return &w->trace->accesses[w->trace->visits[load->visit + visits].access + load->access];
}

/* Does L1 have all that it had of the load, and nothing of what it had not? */
static bool hits_alike(const Sim *s, const Warp *w, const Load *load, const ReplayAccess *a, double start) {
	uint32_t lines = 0;
	const uint64_t *sectors = &w->trace->sectors[a->sectors];
	if (load->misses && load->misses != a->nsectors) return false;
	for (uint32_t i = 0; i < a->nsectors; i++) {
		lines += !i || sectors[i] >> 2 != sectors[i - 1] >> 2;
		if (!a->cached || !s->l1.nsets) continue;
		const double hit = replay_cache_peek(&s->l1, sectors[i]);
		if (load->misses ? hit >= 0 : hit < 0 || hit > start) return false;
	}
	return !load->misses || lines == load->lines;
}

static void fill(Sim *s, const Warp *w, const ReplayAccess *a, double filled) {
	if (!a->cached || !s->l1.nsets) return;
	for (uint32_t i = 0; i < a->nsectors; i++) replay_cache_take(&s->l1, w->trace->sectors[a->sectors + i], filled);
}

static const ReplayAccess *access_of_period(const Warp *w, const Repeat *r, uint32_t i, uint32_t visits) {
	return access_at(w, &r->loads[i], w->visit - r->visit + visits);
}

/* Loads that all miss: does none ask for the sector of one before, which it would find? */
static bool are_apart(const Warp *w, const Repeat *r, uint32_t visits) {
	uint64_t sectors[MOST_LOADS];
	if (r->nloads < 2 || !r->loads[0].misses) return true;
	for (uint32_t i = 0; i < r->nloads; i++) {
		sectors[i] = w->trace->sectors[access_of_period(w, r, i, visits)->sectors];
		for (uint32_t k = 0; k < i; k++)
			if (sectors[k] == sectors[i]) return false;
	}
	return true;
}

/* Whether the period that begins with visit w->visit + visits is as the kept one; L1 has its sectors then. Its first
 * visit is like the kept one, as the one before the period is. */
static bool one_more(Sim *s, const Warp *w, uint32_t period, uint32_t visits, double later_by) {
	const Repeat *r = s->repeat;
	if (!goes_alike(w->trace, r->visit + 1, w->visit + visits + 1, period)) return false; /* the warp is in the last */
	for (uint32_t i = 0; i < r->nloads; i++)
		if (!hits_alike(s, w, &r->loads[i], access_of_period(w, r, i, visits), r->loads[i].start + later_by))
			return false;
	if (!are_apart(w, r, visits)) return false;
	for (uint32_t i = 0; i < r->nloads && r->loads[0].misses; i++)
		fill(s, w, access_of_period(w, r, i, visits), r->loads[i].filled + later_by);
	return true;
}

/* --- periods ------------------------------------------------------------------------------------------------------ */

static void add_periods(Sim *s, double n) {
	const Repeat *r = s->repeat;
	ReplayResult *out = s->out;
	for (uint32_t i = 0; i < s->code->ninstrs; i++)
		for (int k = 0; k < STALL_COUNT; k++) out->stalls[i][k] += n * (out->stalls[i][k] - r->stalls[i][k]);
	for (int k = 0; k < STALL_COUNT; k++) out->totals[k] += n * (out->totals[k] - r->totals[k]);
	out->l2_loads += n * (out->l2_loads - r->l2_loads);
	out->issued += (uint64_t)n * (out->issued - r->issued);
}

static void skip(Sim *s, Warp *w, double now) {
	const Repeat *r = s->repeat;
	const uint32_t period = w->visit - r->visit;
	const double cycles = now - r->began;
	uint32_t n = 0;
	if (!goes_alike(w->trace, r->visit, w->visit, 1)) return;
	while (one_more(s, w, period, n * period, (n + 1) * cycles)) n++;
	if (!n) return;
	add_periods(s, n);
	s->dram_written += n * (s->dram_written - r->dram_written);
	shift_all(s, w, n * cycles);
	const uint32_t before = w->trace->visits[w->visit].access;
	w->visit += n * period;
	if (w->asks) w->asks += w->trace->visits[w->visit].access - before;
}

static void keep(Sim *s, const Warp *w, double now) {
	Repeat *r = s->repeat;
	r->began = now;
	r->visit = w->visit;
	r->next = w->next;
	r->issued = s->out->issued;
	r->l2_loads = s->out->l2_loads;
	r->dram_written = s->dram_written;
	r->nloads = 0;
	memcpy(r->totals, s->out->totals, sizeof r->totals);
	memcpy(r->stalls, s->out->stalls, s->code->ninstrs * sizeof *r->stalls);
	take_state(s, w, now, r->then);
}

void repeat_visit(Sim *s, Warp *w, double now) {
	Repeat *r = s->repeat;
	if (r->next == w->next && is_simple(s, r)) {
		take_state(s, w, now, r->now);
		if (is_same(r)) {
			skip(s, w, now);
			keep(s, w, s->now);
			return;
		}
	}
	if (r->next && w->visit - r->visit < r->wait) return;
	r->wait = r->wait < MOST_PERIOD ? 2 * r->wait : 1;
	keep(s, w, now);
}
