/* step/stepper.h: the cluster in focus, one operation at a time, and its way back to the beginning. */
#include <string.h>

#include "emu/exec/out_of_line.h"
#include "emu/machine/internal.h"
#include "emu/machine/schedule.h"
#include "emu/step/stepper.h"

/* --- the launch, from its beginning ------------------------------------------------------------------------------- */

static uint64_t cluster_with(const Run *run, uint32_t block) {
	if (run->shape.cluster_size == 1) return block;
	for (uint64_t c = 0; c < run->shape.nclusters; c++)
		for (uint32_t r = 0; r < run->shape.cluster_size; r++)
			if (cluster_block(run, c, r) == block) return c;
	return 0;
}

bool step_has_stopped(const Stepper *s) {
	return run_stopped(&s->run);
}

/* The launch's own limits hold for blocks that run without a stop; the one in focus is looked after in run_until. */
static void set_limits(Stepper *s, bool on) {
	s->run.launch = &s->launch;
	if (on) launch_extend(&s->run);
	if (!on) s->run.end.limit_ns = 0;
}

/* Runs a cluster that is not in focus, until it ends or yields. */
static void run_other(Stepper *s, OtherCluster other) {
	if (!step_has_stopped(s) && cluster_run(other.first->cluster) && !step_has_stopped(s))
		step_cluster_drop(s, other.first);
	else
		vec_push(&s->others, other);
}

static void begin_other(Stepper *s) {
	const uint64_t number = s->next++;
	run_other(s, (OtherCluster){cluster_take(s->worker, number), number});
}

/* Other clusters have a turn each: those that wait, and one more. */
static void others_turn(Stepper *s) {
	const size_t waiting = s->others.len;
	set_limits(s, true);
	for (size_t i = 0; i < waiting; i++) run_other(s, s->others.data[i]);
	s->others.len -= waiting;
	if (waiting && s->others.len)
		memmove(s->others.data, s->others.data + waiting, s->others.len * sizeof *s->others.data);
	if (s->next == s->ncluster) s->next++;
	if (s->next < s->run.shape.nclusters && !step_has_stopped(s)) begin_other(s);
	block_pool_free(s->worker); /* registers of new warps are zeros again */
	set_limits(s, false);
}

static void run_before(Stepper *s) {
	s->undo = s->before;
	set_limits(s, true);
	for (s->next = 0; s->next < s->ncluster && !step_has_stopped(s);) begin_other(s);
	block_pool_free(s->worker);
	set_limits(s, false);
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
	memset(s->instructions, 0, s->run.shape.nwarps * sizeof *s->instructions);
	for (uint32_t i = 0; i < s->run.shape.nwarps; i++) s->arrivals[i] = (Arrival){.instr = UINT32_MAX};
	step_set_marks(s, NULL);
	step_image_push(s);
}

void step_clear_stop(Stepper *s) {
	s->run.end.faulted = false;
	atomic_store(&s->run.end.stop, STOP_NO);
}

static void end_block(Stepper *s) {
	step_images_drop(s, 0);
	if (s->first) step_cluster_drop(s, s->first);
	s->first = s->block = NULL;
}

void step_end_launch(Stepper *s) {
	end_block(s);
	for (size_t i = 0; i < s->others.len; i++) step_cluster_drop(s, s->others.data[i].first);
	s->others.len = 0;
	block_pool_free(s->worker);
	atomic_store(&s->run.stacks, 0);
	undo_back(s->before);
	memory_heap_put_back(machine_memory(s->machine), s->heap);
	atomic_store(&s->run.printed.bytes, 0);
	s->worker->kernel_ns = s->worker->bad_accesses = 0;
}

bool step_begin(Stepper *s) {
	step_end_launch(s);
	step_clear_stop(s);
	s->ncluster = cluster_with(&s->run, s->focus.block);
	run_before(s);
	if (step_has_stopped(s)) return false;
	begin_block(s);
	return true;
}

bool step_go_before(Stepper *s, uint64_t time) {
	if (!s->first) return step_begin(s);
	size_t at = s->images.len - 1;
	while (at && step_image_time(s, at) > time) at--;
	step_clear_stop(s);
	step_image_return(s, at);
	return true;
}

/* --- one operation ------------------------------------------------------------------------------------------------ */

/* The next split that can run, warp by warp as in any launch. False: none is left, or the run has stopped. */
bool step_choose(Stepper *s) {
	Cluster *c = s->first->cluster;
	for (;;) {
		Block *b = c->block[s->at_block];
		Warp *w = &b->warps[s->at_warp];
		while (b->threads_alive && w->alive && s->at_split < w->splits.len) {
			Split *split = w->splits.data[s->at_split++];
			if (split->state != SPLIT_READY) continue;
			warp_switch(w, split);
			s->running = w;
			s->op = split->pc;
			return s->ran = true;
		}
		if (w->alive && w->splits.len && (w->splits.len > 1 || w->splits.data[0]->state == SPLIT_SYNC))
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

WrittenRegisters step_written(const Stepper *s, const Warp *w) {
	return (WrittenRegisters){s->marks + (size_t)w->number * s->run.kernel->ninstrs, s->writers};
}
