/* replay.h: the SM. */
#include "replay/sim.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

/* Cycles are charged in their order and without gaps, so an event begins where the last one of its warp ended. */
static void note_event(Sim *s, Warp *w, Stall why, double cycles) {
	const uint32_t warp = (uint32_t)(w - s->all) - w->slot * s->warps_per_block;
	if (s->events.len < REPLAY_EVENTS) vec_push(&s->events, ((ReplayEvent){warp, w->instr, why, w->noted, cycles}));
	w->noted += cycles;
}

static void charge(Sim *s, Warp *w, Stall why, double cycles) {
	if (cycles <= 0) return;
	if (w->followed) note_event(s, w, why, cycles);
	s->out->stalls[w->instr][why] += cycles;
	s->out->totals[why] += cycles;
}

/* --- the way of a warp -------------------------------------------------------------------------------------------- */

/* The access of the op in this visit; NULL: no lane made it. */
static const ReplayAccess *access_of(const Warp *w, const ReplayOp *op) {
	const ReplayVisit *v = &w->trace->visits[w->visit];
	uint32_t before = op->copy;
	for (uint32_t i = v->access; i < v[1].access; i++)
		if (w->trace->accesses[i].instr == op->instr && !before--) return &w->trace->accesses[i];
	return NULL;
}

static void settle(Warp *w, const ReplayCode *code, const ReplayOp *op, double at, Stall why) {
	for (uint32_t i = 0; i < op->nwrites; i++)
		w->registers[code->registers[op->writes + i]] = (Ready){at, (uint8_t)why};
}

/* When the operands are there; *why: what the last one waits for. */
static double operands(const Warp *w, const ReplayCode *code, const ReplayOp *op, double at, uint8_t *why) {
	for (uint32_t i = 0; i < op->nreads; i++) {
		const Ready *r = &w->registers[code->registers[op->reads + i]];
		if (r->at > at) at = r->at, *why = r->why;
	}
	return at;
}

/* Finds the next instruction that takes a slot; false: the warp has none left. not_before, why: from the one before. */
static bool advance(Sim *s, Warp *w, double not_before, Stall why) {
	const ReplayCode *code = s->code;
	for (;;) {
		while (w->visit < w->trace->nvisits && w->op == code->blocks[w->trace->visits[w->visit].block].end)
			if (++w->visit < w->trace->nvisits) w->op = code->blocks[w->trace->visits[w->visit].block].first;
		if (w->visit == w->trace->nvisits) return false;
		const ReplayOp *op = &code->ops[w->op++];
		uint8_t reason = (uint8_t)why;
		if (op->free) {
			reason = STALL_WAIT;
			const double at = operands(w, code, op, 0, &reason);
			settle(w, code, op, at, (Stall)reason);
			continue;
		}
		w->asks = op->accesses ? access_of(w, op) : NULL;
		if (op->accesses && !w->asks) continue;
		w->next = op;
		w->instr = op->instr;
		w->slots_left = op->slots;
		w->ready = operands(w, code, op, not_before, &reason);
		w->why = reason;
		return true;
	}
}

/* --- issuing ------------------------------------------------------------------------------------------------------ */

static bool through_queue(ReplayUnit unit) {
	return unit >= UNIT_SPECIAL && unit <= UNIT_BARRIER;
}

static double room(const Queue *q, uint32_t entries) {
	return q->starts[(q->at + MOST_QUEUE - entries) % MOST_QUEUE];
}

static void enter(Queue *q, double start) {
	q->starts[q->at] = start;
	q->at = (q->at + 1) % MOST_QUEUE;
}

static ReplayUnit which(const Part *p, ReplayUnit unit) {
	if (unit != UNIT_EITHER) return unit;
	return p->unit_free[UNIT_MULTIPLY] < p->unit_free[UNIT_INT] ? UNIT_MULTIPLY : UNIT_INT;
}

/* What an instruction waits for until its unit can take it. */
static Stall throttle(ReplayUnit unit) {
	if (unit == UNIT_NONE || unit == UNIT_BRANCH) return STALL_WAIT;
	if (unit < UNIT_ARITHMETIC) return STALL_MATH_PIPE_THROTTLE;
	if (through_queue(unit)) return STALL_MIO_THROTTLE;
	return unit == UNIT_TEXTURE ? STALL_TEX_THROTTLE : STALL_LG_THROTTLE;
}

typedef struct {
	double at; /* of the result */
	Stall why;
} Result;

/* An atomic that is a loop in SASS: the warp goes on after its last iteration. */
static bool loops(const Warp *w) {
	return w->next->unit == UNIT_SHARED && w->asks && w->asks->lines;
}

/* In the queue of the part since now. */
static Result queued(Sim *s, Part *p, Warp *w, double now) {
	const ReplayOp *op = w->next;
	const bool alone = op->unit == UNIT_SPECIAL || op->unit == UNIT_CONVERT;
	double *free = alone                      ? &p->unit_free[op->unit]
				   : op->unit <= UNIT_SHUFFLE ? &s->lsu_free
											  : &s->shared_free[op->unit];
	double uses = op->uses, latency = op->latency;
	if (op->unit == UNIT_SHARED) latency += s->sm->latency_shared;
	if (w->asks) uses = w->asks->passes;
	if (loops(w)) latency += (w->asks->lines - 1) * s->sm->loop_clocks;
	const double start = later(now + 1, *free);
	*free = start + later(uses * s->sm->intervals[op->unit], op->unit == UNIT_SHARED ? s->sm->access_clocks : 0);
	enter(&p->queue, start);
	const double at = room(&p->queue, s->sm->queue);
	for (int unit = UNIT_SPECIAL; unit <= UNIT_BARRIER; unit++) p->gates[unit] = at;
	return (Result){*free + latency, STALL_SHORT_SCOREBOARD};
}

static Result global(Sim *s, Part *p, Warp *w, double now) {
	const ReplayAccess *a = w->asks;
	const ReplayUnit unit = w->next->unit;
	double *free = unit == UNIT_TEXTURE ? &s->shared_free[unit] : &s->lsu_free;
	const double start = later(memory_admits(s, now + 1), *free);
	const double passes = a ? a->passes : w->next->uses;
	*free = start + later(passes * s->sm->intervals[unit], unit == UNIT_GLOBAL ? s->sm->access_clocks : 0);
	enter(&p->global, start);
	p->gates[UNIT_GLOBAL] = p->gates[UNIT_TEXTURE] = room(&p->global, s->sm->global_queue);
	if (!a) return (Result){*free + s->sm->latency_l1, STALL_LONG_SCOREBOARD};
	if (a->kind == REPLAY_LOAD) return (Result){memory_load(s, w, a, *free), STALL_LONG_SCOREBOARD};
	const double done =
		a->kind == REPLAY_ATOMIC ? memory_atomic(s, a, *free) : memory_store(s, *free, a->nsectors, a->lines);
	w->stores = later(w->stores, a->kind == REPLAY_ATOMIC ? *free : done);
	return (Result){done, STALL_LONG_SCOREBOARD};
}

static void take(const Sim *s, Part *p, ReplayUnit unit, double now, double uses) {
	p->gates[unit] = p->unit_free[unit] = later(p->unit_free[unit], now) + s->sm->intervals[unit] * uses;
}

/* Multiplications use half of the FP32 units. */
static void occupy(const Sim *s, Part *p, const ReplayOp *op, double now) {
	const ReplayUnit unit = which(p, op->unit);
	const double uses = (double)op->uses / op->slots;
	take(s, p, unit, now, uses);
	if (unit == UNIT_MULTIPLY) take(s, p, UNIT_FP32, now, uses);
	p->gates[UNIT_EITHER] = p->unit_free[which(p, UNIT_EITHER)];
}

static Result started(Sim *s, Part *p, Warp *w, double now) {
	const ReplayOp *op = w->next;
	if (through_queue(op->unit)) return queued(s, p, w, now);
	if (op->unit == UNIT_GLOBAL || op->unit == UNIT_TEXTURE) return global(s, p, w, now);
	if (op->unit < UNIT_ARITHMETIC) occupy(s, p, op, now);
	return (Result){now + op->latency, STALL_WAIT};
}

static void block_ended(Sim *s, uint32_t slot, double at) {
	s->slots[slot].used = false;
	at += s->sm->end_clocks;
	s->ends[s->ended++] = at;
	s->last_end = later(s->last_end, at);
}

static void release(Sim *s, uint32_t slot, uint32_t id) {
	BarrierState *b = &s->slots[slot].barriers[id];
	const double at = b->last + s->sm->barrier_clocks;
	*b = (BarrierState){0};
	for (uint32_t i = 0; i < s->warps_per_block; i++) {
		Warp *w = &s->all[slot * s->warps_per_block + i];
		if (!w->running || w->waits != id + 1) continue;
		w->waits = 0;
		w->ready = later(w->ready, at);
		warp_wake(s, w);
	}
}

static bool is_complete(const Slot *slot, const BarrierState *b) {
	return b->arrived && b->arrived == (b->warps ? b->warps : slot->alive);
}

static void leave(Sim *s, Warp *w, double now) {
	Slot *b = &s->slots[w->slot];
	charge(s, w, STALL_DRAIN, w->stores - now);
	w->running = false;
	warp_wake(s, w);
	const double end = later(now, w->stores);
	if (--b->alive == 0) {
		block_ended(s, w->slot, end);
		return;
	}
	for (uint32_t id = 0; id < REPLAY_BARRIERS; id++) {
		if (b->barriers[id].warps || !is_complete(b, &b->barriers[id])) continue;
		b->barriers[id].last = later(b->barriers[id].last, now);
		release(s, w->slot, id);
	}
}

/* Neighbors are a group. Their barriers are the last of the block, which kernels use least. */
static uint32_t barrier_of(const Sim *s, const Warp *w, const ReplayBarrier *barrier) {
	if (barrier->id != REPLAY_GROUP) return barrier->id;
	const uint32_t number = (uint32_t)(w - s->all) % s->warps_per_block;
	return barrier->warps ? REPLAY_BARRIERS - 1 - number / barrier->warps % REPLAY_BARRIERS : 0;
}

static void arrive(Sim *s, Warp *w, const ReplayBarrier *barrier, double at) {
	const uint32_t id = barrier_of(s, w, barrier);
	Slot *slot = &s->slots[w->slot];
	BarrierState *b = &slot->barriers[id];
	b->last = later(b->last, at);
	b->warps = barrier->warps;
	b->arrived++;
	if (!barrier->arrives) {
		w->ready = later(w->ready, at);
		w->why = STALL_BARRIER;
		w->waits = (uint8_t)(id + 1);
	}
	warp_wake(s, w);
	if (is_complete(slot, b)) release(s, w->slot, id);
}

static void issue(Sim *s, Part *p, Warp *w, double now) {
	const ReplayOp *op = w->next;
	charge(s, w, STALL_SELECTED, 1);
	s->out->issued++;
	w->since = now + 1;
	if (w->slots_left > 1) { /* queues and servers are used once, with the last one */
		if (op->unit < UNIT_ARITHMETIC) occupy(s, p, op, now);
		w->slots_left--;
		w->ready = now + op->gap;
		w->why = STALL_WAIT;
		warp_wake(s, w);
		return;
	}
	const Result r = op->unit == UNIT_NONE ? (Result){now + op->latency, STALL_WAIT} : started(s, p, w, now);
	const bool barrier = op->unit == UNIT_BARRIER, branch = op->unit == UNIT_BRANCH;
	double next = branch ? now + s->sm->branch_clocks : now + 1;
	Stall why = branch ? STALL_BRANCH_RESOLVING : STALL_WAIT;
	uint32_t event = NO_EVENT;
	settle(w, s->code, op, r.at, r.why);
	if (loops(w)) next = r.at, why = r.why;
	if (op->async) next = later(next, async_begin(s, w, now, r.at, &why, &event));
	if (!advance(s, w, next, why)) return leave(s, w, now + 1);
	if (barrier) return arrive(s, w, &op->barrier, r.at);
	if (event != NO_EVENT) async_wait(s, w, event);
	warp_wake(s, w);
}

/* --- time --------------------------------------------------------------------------------------------------------- */

static void start_block(Sim *s, uint32_t slot) {
	const ReplaySm *sm = s->sm;
	Slot *b = &s->slots[slot];
	const uint32_t recorded = s->started % s->nrecorded, again = s->started / s->nrecorded;
	const double freed = s->started >= sm->resident ? s->ends[s->started - sm->resident] : 0;
	const double at = later(s->next_start, freed);
	EventState *events = b->events;
	*b = (Slot){.alive = s->warps_per_block, .used = true, .events = events};
	if (s->nevents) memcpy(events, s->untold + (size_t)recorded * s->nevents, s->nevents * sizeof *events);
	s->started++;
	s->next_start = at + sm->block_clocks;
	for (uint32_t i = 0; i < s->warps_per_block; i++) {
		Warp *w = &s->all[slot * s->warps_per_block + i];
		Ready *registers = w->registers;
		memset(registers, 0, s->code->nregisters * sizeof *registers);
		*w = (Warp){.trace = &s->warps[recorded * s->warps_per_block + i],
					.slot = slot,
					.again = again,
					.registers = registers,
					.part = w->part,
					.running = true,
					.followed = s->follow && s->started == 1};
		if (w->trace->nvisits) w->op = s->code->blocks[w->trace->visits[0].block].first;
		const double first = at + sm->start_clocks;
		w->since = w->noted = first;
		if (!advance(s, w, first, STALL_WAIT)) leave(s, w, first);
		warp_wake(s, w);
	}
}

static void fill_slots(Sim *s) {
	for (uint32_t i = 0; i < s->sm->resident && s->started < s->nblocks; i++)
		if (!s->slots[i].used) start_block(s, i);
}

/* What a warp whose operands are there waited for up to now. */
static void charge_wait(Sim *s, const Part *p, Warp *w, double now) {
	const ReplayUnit unit = w->next->unit;
	const uint64_t others = p->others[unit] - w->seen;
	charge(s, w, (Stall)w->why, w->ready - w->since);
	charge(s, w, throttle(unit), now - (double)others - later(w->since, w->ready));
	charge(s, w, STALL_NOT_SELECTED, (double)others);
	w->since = later(now, w->since);
	w->seen = p->others[unit];
}

#define EACH_READY(p, w)                                                                                               \
	for (uint32_t w##_left = (p)->units; w##_left; w##_left &= w##_left - 1)                                           \
		for (Warp *w = (p)->ready[__builtin_ctz(w##_left)].first; w; w = w->after)

/* At the end, warps that were ready when the part last issued. */
static void charge_last(Sim *s, const Part *p) {
	EACH_READY(p, w) if (w->ready <= p->issued - 1) charge_wait(s, p, w, p->issued);
}

static void dispatch_late(Sim *s, Part *p) {
	const double lost = floor(p->conflicts);
	p->conflicts -= lost;
	EACH_READY(p, w) charge_wait(s, p, w, p->clock);
	part_collect(p, p->clock);
	EACH_READY(p, w) {
		charge(s, w, (Stall)w->why, w->ready - w->since);
		w->since = later(w->since, w->ready);
		charge(s, w, STALL_DISPATCH_STALL, p->clock + lost - w->since);
		w->since = later(w->since, p->clock + lost);
	}
	p->clock = p->issued = p->clock + lost;
}

/* Moves the part's clock to when it can issue next. False: no warp of it will. */
static bool idle_until_next(Part *p) {
	double next = NEVER;
	for (uint32_t left = p->units; left; left &= left - 1) {
		const double at = p->gates[__builtin_ctz(left)];
		if (at < next) next = at;
	}
	for (const Warp *w = p->sleeping.first; w && w->ready < next; w = w->after) {
		const double at = later(w->ready, p->gates[w->next->unit]);
		if (at < next) next = at;
	}
	if (next == NEVER) return false;
	p->clock = ceil(next);
	return true;
}

/* The warp that waited longest of those whose unit can take it; NULL: none. */
static Warp *selected(Sim *s, Part *p, double now) {
	Warp *best = NULL;
	uint32_t open = 0;
	for (uint32_t left = p->units; left; left &= left - 1) {
		const int unit = __builtin_ctz(left);
		if (p->gates[unit] > now) continue;
		open |= 1u << unit;
		Warp *first = p->ready[unit].first;
		if (!best || waits_longer(first, best)) best = first;
	}
	if (!best) return NULL;
	const ReplayUnit unit = best->next->unit;
	charge_wait(s, p, best, now);
	warps_remove_first(&p->ready[unit]);
	if (!p->ready[unit].first) p->units &= ~(1u << unit), open &= ~(1u << unit);
	for (; open; open &= open - 1) p->others[__builtin_ctz(open)]++;
	if (s->follow) EACH_READY(p, w) if (w->followed) charge_wait(s, p, w, now + 1);
	return best;
}

/* Issues one instruction of the part, or moves its clock to when it can. False: no warp of it will. */
static bool part_step(Sim *s, Part *p) {
	const double now = p->clock;
	part_collect(p, now);
	Warp *best = selected(s, p, now);
	if (best) {
		p->clock = p->issued = now + 1;
		p->conflicts += best->next->conflicts;
		issue(s, p, best, now);
		if (p->conflicts >= 1) dispatch_late(s, p);
		if (p->units || next_wake(p) <= p->clock) return true;
	}
	return idle_until_next(p);
}

static Part *earliest(Sim *s) {
	Part *first = NULL;
	for (uint32_t i = 0; i < s->sm->parts; i++)
		if (!s->parts[i].idle && (!first || s->parts[i].clock < first->clock)) first = &s->parts[i];
	return first;
}

enum { STEADY_AFTER = 16384, PACE_AFTER = 4096 /* instructions */ };
#define STEADY 0.02 /* by which the times per block may differ */

/* Did blocks end as fast in the second half so far as in the quarter before? A round is every recorded block once, at
 * least as many as are resident: where blocks differ, all are in both. */
static bool is_steady(const Sim *s) {
	const uint32_t n = s->ended, round = (s->sm->resident + s->nrecorded - 1) / s->nrecorded * s->nrecorded;
	if (n % (4 * round) || s->out->issued < STEADY_AFTER) return false;
	const double middle = s->ends[n / 2 - 1], before = (middle - s->ends[n / 4 - 1]) / (n / 4),
				 after = (s->ends[n - 1] - middle) / (n / 2);
	return fabs(after - before) <= STEADY * after;
}

/* Where blocks differ the SM is full until the shortest ends, and then again. */
static void note_pace(Sim *s) {
	const double pace = s->now / (double)s->out->issued;
	if (s->out->issued < PACE_AFTER) return;
	if (s->out->pace <= 0 || pace < s->out->pace) s->out->pace = pace;
}

static void run(Sim *s, uint64_t limit) {
	while (s->ended < s->nblocks) {
		const uint32_t before = s->ended;
		Part *p = earliest(s);
		if (!p && async_release(s)) continue;
		if (!p) break; /* a barrier that can never be complete: what was recorded was cut off */
		s->now = p->clock;
		if (!part_step(s, p)) p->idle = true;
		if (s->ended != before) {
			if ((s->out->issued >= limit || is_steady(s)) && s->started < s->nblocks) s->nblocks = s->started;
			note_pace(s);
			fill_slots(s);
		}
	}
	for (uint32_t i = 0; i < s->sm->parts; i++) charge_last(s, &s->parts[i]);
}

/* Cycles per block while the SM was full, over as many whole rounds of the resident blocks as there are: blocks that
 * start together end together. */
static double steady_cycles(const Sim *s) {
	const uint32_t r = s->sm->resident, n = s->ended;
	if (n < 2) return n ? s->ends[0] : 0;
	if (n > 2 * r) {
		const uint32_t last = n - r - 1, rounds = last / r;
		return (s->ends[last] - s->ends[last - rounds * r]) / (rounds * r);
	}
	return s->last_end / n;
}

static void sim_alloc(Sim *s) {
	const uint32_t n = s->sm->resident * s->warps_per_block;
	s->all = xcalloc(n + 1, sizeof *s->all);
	Ready *registers = xcalloc((size_t)n * s->code->nregisters + 1, sizeof *registers);
	s->slots = xcalloc(s->sm->resident + 1, sizeof *s->slots);
	s->ends = xcalloc(s->nblocks + 1, sizeof *s->ends);
	s->l1 = replay_cache_new(s->sm->l1_lines);
	async_alloc(s);
	for (uint32_t i = 0; i < n; i++) s->all[i].registers = registers + (size_t)i * s->code->nregisters;
	for (uint32_t i = 0; i < n; i++) s->all[i].part = &s->parts[i % s->sm->parts];
}

static void sim_free(Sim *s) {
	async_free(s);
	free(s->all[0].registers);
	free(s->all);
	free(s->slots);
	free(s->ends);
	replay_cache_free(&s->l1);
}

ReplayResult replay_run(const ReplaySm *sm, const ReplayCode *code, const ReplayWarp *warps, uint32_t nrecorded,
						uint32_t warps_per_block, uint32_t nblocks, uint64_t limit, bool follow) {
	ReplayResult out = {.stalls = xcalloc(code->ninstrs + 1, sizeof *out.stalls)};
	Sim s = {.sm = sm,
			 .code = code,
			 .warps = warps,
			 .nrecorded = nrecorded,
			 .warps_per_block = warps_per_block,
			 .nblocks = nblocks,
			 .out = &out,
			 .follow = follow};
	sim_alloc(&s);
	fill_slots(&s);
	run(&s, limit);
	out.cycles = s.last_end;
	out.blocks = s.ended;
	out.steady = steady_cycles(&s);
	if (s.ended) out.l2_loads /= s.ended;
	out.events = s.events.data;
	out.nevents = (uint32_t)s.events.len;
	sim_free(&s);
	return out;
}
