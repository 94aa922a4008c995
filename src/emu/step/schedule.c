/* step/stepper.h: the cluster in focus, one operation at a time, and its way back to the beginning. */
#include <string.h>

#include "emu/exec/out_of_line.h"
#include "emu/machine/internal.h"
#include "emu/machine/schedule.h"
#include "emu/step/stepper.h"

/* --- the launch, from its beginning ------------------------------------------------------------------------------- */

static uint64_t cluster_with(const Run *run, uint32_t block) {
	if (run->cluster_size == 1) return block;
	for (uint64_t c = 0; c < run->nclusters; c++)
		for (uint32_t r = 0; r < run->cluster_size; r++)
			if (cluster_block(run, c, r) == block) return c;
	return 0;
}

bool step_has_stopped(const Stepper *s) {
	return atomic_load(&s->run.stop) != STOP_NO;
}

/* The launch's own limits hold for blocks that run without a stop; the one in focus is looked after in run_until. */
static void set_limits(Stepper *s, bool on) {
	s->run.launch = &s->launch;
	if (on) launch_extend(&s->run);
	if (!on) s->run.deadline_ns = 0;
}

static void drop_cluster(Stepper *s, Block *first) {
	const Cluster *c = first->cluster;
	for (uint32_t i = 0; i < c->size; i++) str_free(&c->block[i]->printed);
	cluster_done(s->worker, c);
}

/* Other clusters have a turn each: those that wait, and one more. */
static void others_turn(Stepper *s) {
	if (!s->others.len && s->next >= s->run.nclusters) return;
	s->mixed = true;
	set_limits(s, true);
	if (s->next == s->ncluster) s->next++;
	if (s->next < s->run.nclusters) vec_push(&s->others, cluster_take(s->worker, s->next++));
	size_t kept = 0;
	for (size_t i = 0; i < s->others.len; i++) {
		Block *first = s->others.data[i];
		if (!step_has_stopped(s) && cluster_run(first->cluster) && !step_has_stopped(s))
			drop_cluster(s, first);
		else
			s->others.data[kept++] = first;
	}
	s->others.len = kept;
	set_limits(s, false);
}

static void run_before(Stepper *s) {
	s->undo = &s->before;
	set_limits(s, true);
	for (s->next = 0; s->next < s->ncluster && !step_has_stopped(s); s->next++) {
		Block *first = cluster_take(s->worker, s->next);
		if (cluster_run(first->cluster) && !step_has_stopped(s))
			drop_cluster(s, first);
		else
			vec_push(&s->others, first);
	}
	set_limits(s, false);
	s->undo = &s->since;
	s->mixed = false;
}

void step_forget_written(Stepper *s) {
	const uint32_t nfunctions = s->run.module->ptx->nfunctions;
	for (uint32_t w = 0; w < s->run.nwarps; w++) {
		for (uint32_t i = 0; i < nfunctions; i++) free(s->written[w].written[i]);
		memset(s->written[w].written, 0, nfunctions * sizeof *s->written[w].written);
	}
}

static void begin_block(Stepper *s) {
	s->first = cluster_take(s->worker, s->ncluster);
	s->block = s->first;
	for (uint32_t i = 0; i < s->first->cluster->size; i++)
		if (s->first->cluster->block[i]->number == s->focus.block) s->block = s->first->cluster->block[i];
	s->at_block = s->at_warp = s->at_split = 0;
	s->ran = s->over = false;
	s->running = NULL;
	s->op = NULL;
	s->time = 0;
	s->stopped_at = 0;
	s->stacks = atomic_load(&s->run.stacks);
	memset(s->instructions, 0, s->run.nwarps * sizeof *s->instructions);
	for (uint32_t i = 0; i < s->run.nwarps; i++) s->arrivals[i] = (Arrival){.instr = UINT32_MAX};
	for (size_t i = 0; i < s->stops.len; i++) s->stops.data[i].seen = false;
	step_forget_written(s);
}

void step_clear_stop(Stepper *s) {
	s->run.faulted = false;
	atomic_store(&s->run.stop, STOP_NO);
}

static void end_block(Stepper *s) {
	if (s->first) drop_cluster(s, s->first);
	s->first = s->block = NULL;
	block_pool_free(s->worker); /* registers of new warps are zeros again */
	atomic_store(&s->run.stacks, s->stacks);
	Memory *memory = machine_memory(s->machine);
	for (size_t i = 0; i < s->objects.len; i++) {
		Allocation *a = memory_find(memory, s->objects.data[i]);
		if (a && a->base == s->objects.data[i] && !a->freed) memory_retire(memory, a);
	}
	s->objects.len = 0;
	step_undo_back(&s->since);
}

void step_end_launch(Stepper *s) {
	end_block(s);
	for (size_t i = 0; i < s->others.len; i++) drop_cluster(s, s->others.data[i]);
	s->others.len = 0;
	block_pool_free(s->worker);
	atomic_store(&s->run.stacks, 0);
	step_undo_back(&s->before);
	atomic_store(&s->run.print_bytes, 0);
}

/* To the beginning of the block in focus. False: the blocks before it did not end well. */
bool step_begin(Stepper *s, bool whole_launch) {
	whole_launch = whole_launch || s->mixed || !s->first || step_has_stopped(s);
	if (whole_launch)
		step_end_launch(s);
	else
		end_block(s);
	step_clear_stop(s);
	if (whole_launch) {
		s->ncluster = cluster_with(&s->run, s->focus.block);
		run_before(s);
		if (step_has_stopped(s)) return false;
	}
	begin_block(s);
	return true;
}

/* --- one operation ------------------------------------------------------------------------------------------------ */

/* The next split that can run, warp by warp as in any launch. False: none is left, or the run has stopped. */
bool step_choose(Stepper *s) {
	Cluster *c = s->first->cluster;
	for (;;) {
		Block *b = c->block[s->at_block];
		Warp *w = &b->warps[s->at_warp];
		while (b->threads_alive && w->alive && s->at_split < w->nsplits) {
			Split *split = w->splits[s->at_split++];
			if (split->state != SPLIT_READY) continue;
			warp_switch(w, split);
			s->running = w;
			s->op = split->pc;
			return s->ran = true;
		}
		if (w->alive && w->nsplits && (w->nsplits > 1 || w->splits[0]->state == SPLIT_SYNC))
			s->ran |= wake_gatherings(w);
		s->at_split = 0;
		if (++s->at_warp < b->nwarps) continue;
		s->at_warp = 0;
		if (++s->at_block < c->size) continue;
		s->at_block = 0;
		if (!cluster_threads(c)) return s->over = true, false;
		if (!s->ran) return barrier_deadlock(c), false;
		s->ran = false;
		if (cluster_yields(c)) others_turn(s);
		if (step_has_stopped(s)) return false;
	}
}

typedef struct {
	uint64_t *times, now;
	uint32_t mask;
} Marking;

static void mark_written(void *data, uint32_t reg) {
	const Marking *m = data;
	uint64_t *lanes = m->times + (size_t)reg * LANES;
	if (m->mask == UINT32_MAX)
		for (uint32_t l = 0; l < LANES; l++) lanes[l] = m->now;
	else
		for (uint32_t left = m->mask; left; left &= left - 1) lanes[first_lane(left)] = m->now;
}

/* What the warp writes has a value from now on. */
static void note_written(Stepper *s, const Warp *w) {
	const EmuFunction *fn = w->frame->function;
	uint64_t **times = &s->written[w->number].written[fn->index];
	const PtxInstr *in = step_instr(w->frame, s->op);
	uint32_t mask = w->mask;
	const uint32_t only = fn->results[s->op->instr];
	if (!*times) *times = xcalloc((size_t)fn->ptx->nregs * LANES + 1, sizeof **times);
	if (in->guarded && fn->places && fn->places[in->guard].slot != NO_SLOT) {
		const uint32_t guard = *(const uint32_t *)(w->regs + fn->places[in->guard].slot);
		mask &= in->guard_negated ? ~guard : guard;
	}
	const Marking marking = {*times, s->time + 1, mask};
	if (only != NO_SLOT)
		mark_written((void *)&marking, only);
	else
		ptx_each_written(in, mark_written, (void *)&marking);
}

void step_run_op(Stepper *s) {
	Warp *w = s->running;
	if (w->block == s->block && step_begins(s->op, w->frame->function)) {
		s->instructions[w->number]++;
		note_written(s, w);
	}
	s->op = s->op->run(w, s->op);
	s->time++;
}
