/* Barriers of a block. A barrier without a count is complete when every thread of the block that has not exited has
 * arrived (CUDA C++ Programming Guide, "Synchronization Functions", since cc 7.0); one with a count when that many
 * threads have arrived, where a warp counts as 32. Lanes of one warp that wait for the same barrier at different
 * places are always a mistake: a fault. */
#include <stdio.h>
#include <string.h>

#include "emu/exec/out_of_line.h"

void barrier_report(Warp *w, const Op *op, uint32_t id) {
	Worker *k = w->worker;
	if (!k->run->wants.barrier) return;
	const Barrier b = {
		.instr = w->first_instr + op->instr, .block = w->block->number, .warp = w->number, .mask = w->mask, .id = id};
	NOTIFY(k, barrier, &b);
}

static bool complete(const Block *b, const BarrierState *st) {
	if (st->expected) return st->counted >= st->expected;
	return st->threads && st->threads >= b->threads_alive;
}

void barrier_report_done(const Block *b, const BarrierDone *done) {
	const Worker *k = b->worker;
	NOTIFY(k, barrier_done, done);
}

static uint32_t line_of(const Warp *w, const Op *op) {
	return instr_of(w, op)->line;
}

static bool waits_for(const Split *s, uint32_t id) {
	return s->state == SPLIT_BARRIER && s->barrier == id;
}

/* Lanes of one warp at two places: a fault, reported for the smaller group. */
static bool consistent(Warp *w, uint32_t id) {
	const Split *first = NULL;
	for (uint32_t i = 0; i < w->splits.len; i++) {
		Split *s = w->splits.data[i];
		if (!waits_for(s, id)) continue;
		if (!first) first = s;
		if (s->pc == first->pc || !(s->pc->flags & OPF_ALIGNED)) continue;
		warp_switch(w, s);
		uint32_t mask = w->mask;
		uint32_t other = first->entries[first->nentries - 1].mask;
		fault_at(w, s->pc, mask, FAULT_BARRIER,
				 "Threads of one warp wait for barrier %u at different places: %u of them here, %u at line %u. Every "
				 "thread of the "
				 "block must reach the same __syncthreads().",
				 id, count_lanes(mask), count_lanes(other), line_of(w, first->pc));
		return false;
	}
	return true;
}

static uint32_t reduction(const BarrierState *st, const Op *op) {
	switch (op->kind) {
	case BAR_POPC: return st->popc;
	case BAR_AND: return st->popc == st->threads ? ~0u : 0;
	default: return st->popc ? ~0u : 0;
	}
}

static void hand_result(Warp *w, Split *s, const BarrierState *st) {
	const Op *op = s->pc;
	if (op->kind < BAR_POPC) return;
	const uint32_t mask = s->entries[s->nentries - 1].mask, r = reduction(st, op);
	uint32_t *d = (uint32_t *)(s->frame->regs + op->d);
	if (op->kind == BAR_POPC)
		FOR_LANES(l, mask) d[l] = r;
	else
		*d = (*d & ~mask) | (r & mask);
}

static void release(Block *b, uint32_t id) {
	BarrierState *st = &b->barriers[id];
	for (uint32_t i = 0; i < b->nwarps; i++)
		if (b->warps[i].splits.len > 1 && !consistent(&b->warps[i], id)) return;
	barrier_report_done(
		b,
		&(BarrierDone){
			.block = b->number, .id = id, .arrived = st->threads, .alive = b->threads_alive, .expected = st->expected});
	for (uint32_t i = 0; i < b->nwarps; i++) {
		Warp *w = &b->warps[i];
		bool freed = false;
		for (uint32_t k = 0; k < w->splits.len; k++) {
			Split *s = w->splits.data[k];
			if (!waits_for(s, id)) continue;
			hand_result(w, s, st);
			split_go_on(b, s);
			freed = true;
		}
		if (freed && w->splits.len > 1) warp_merge(w);
	}
	memset(st, 0, sizeof *st);
}

void barrier_check(Block *b) {
	Run *run = b->worker->run;
	for (uint32_t id = 0; id < NAMED_BARRIERS; id++)
		if (b->barriers[id].threads && complete(b, &b->barriers[id]) && !run_stopped(run)) release(b, id);
}

static uint32_t uniform(const Warp *w, uint32_t slot) {
	return slot == NO_SLOT ? 0 : (uint32_t)lane_get(w, slot, 4, first_lane(w->mask));
}

const Op *run_bar(Warp *w, const Op *op) {
	const uint32_t id = uniform(w, op->a), count = uniform(w, op->b);
	Block *b = w->block;
	if (id >= NAMED_BARRIERS)
		return fault_at(w, op, w->mask, FAULT_INSTRUCTION, "Barrier %u does not exist: a block has %d.", id,
						NAMED_BARRIERS);
	if (op->b != NO_SLOT && (count == 0 || count % LANES))
		return fault_at(w, op, w->mask, FAULT_BARRIER, "Barrier %u is given %u threads; it must be a multiple of %d.",
						id, count, LANES);
	barrier_report(w, op, id);
	BarrierState *st = &b->barriers[id];
	const uint32_t mask = w->mask;
	st->threads += count_lanes(mask);
	st->counted += mask == w->alive ? LANES : count_lanes(mask);
	st->expected = count;
	if (op->kind >= BAR_POPC) st->popc += count_lanes(mask & pred_get(w, op->c, op->flags & OPF_NEGATED));
	Split *s = w->split;
	if (op->kind != BAR_ARRIVE) {
		split_wait(w, op, id);
		if (mask != w->live || w->frame->caller) warp_fork_waiting(w);
	}
	const bool alone = w->splits.len == 1;
	if (complete(b, st)) release(b, id);
	if (op->kind == BAR_ARRIVE) return op + 1;
	return alone && s->state == SPLIT_READY ? op + 1 : NULL;
}

typedef struct {
	Warp *first;
	Split *at;
	uint32_t waiting, others;
} Stuck;

static void look_for_stuck(const Block *b, Stuck *s) {
	for (uint32_t i = 0; i < b->nwarps; i++) {
		Warp *w = &b->warps[i];
		for (uint32_t k = 0; k < w->splits.len; k++) {
			Split *split = w->splits.data[k];
			if (split->state != SPLIT_BARRIER) continue;
			if (!s->first) {
				s->first = w;
				s->at = split;
			}
			const bool same =
				split->barrier == s->at->barrier && (b == s->first->block || split->barrier == CLUSTER_BARRIER);
			*(same ? &s->waiting : &s->others) += count_lanes(split->entries[split->nentries - 1].mask);
		}
	}
}

void barrier_deadlock(const Cluster *c) {
	Stuck s = {0};
	for (uint32_t i = 0; i < c->size; i++)
		if (registers_deadlock(c->block[i]) || wgmma_deadlock(c->block[i])) return;
	for (uint32_t i = 0; i < c->size; i++) look_for_stuck(c->block[i], &s);
	if (!s.first) return;
	warp_switch(s.first, s.at);
	if (s.at->barrier == CLUSTER_BARRIER) {
		fault_at(
			s.first, s.at->pc, s.first->mask, FAULT_BARRIER,
			"%u threads wait at the barrier of their cluster forever: %u wait at another barrier. Every thread of the "
			"cluster must reach the same cluster.sync().",
			s.waiting, s.others);
		return;
	}
	const BarrierState *st = &s.first->block->barriers[s.at->barrier];
	char expected[96] = "";
	if (st->expected) snprintf(expected, sizeof expected, " for %u threads", st->expected);
	fault_at(s.first, s.at->pc, s.first->mask, FAULT_BARRIER,
			 "%u threads wait at barrier %u%s forever: %u wait at another barrier, the other threads of the block have "
			 "ended or cannot arrive.",
			 s.waiting, s.at->barrier, expected, s.others);
}
