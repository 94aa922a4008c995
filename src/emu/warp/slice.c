/* Time slices of warps: how many basic blocks one runs before it looks at the clock, and before another one runs. */
#include <assert.h>

#include "emu/warp/access.h"

static void part_begin(Warp *w) {
	assert(w->worker->pace);
	w->part = w->rest < w->worker->pace ? w->rest : w->worker->pace;
	w->rest -= w->part;
	w->budget = (int32_t)w->part;
}

void slice_begin(Warp *w) {
	w->done = 0;
	w->rest = SLICE;
	part_begin(w);
}

/* True if the warp that runs has to give way now, to another of its block or to another block. */
static bool slice_yields(Warp *w, const Op *op, uint32_t basic_blocks) {
	Split *s = w->split;
	w->block->slices++;
	w->worker->kernel_ns += NS_PER_SLICE;
	work_done(w, op, basic_blocks);
	s->spins = w->spinning.sync_ops >= SPINNING ? s->spins + 1 : 0;
	s->suspected = w->spinning.sync_ops > 0;
	w->spinning.sync_ops = 0;
	if (s->spins >= 2 && !w->worker->run->schedule.independent)
		w->block->slice_limit = w->block->slices; /* it may wait for another block */
	const Run *run = w->worker->run;
	/* Adversarial orders look for races, and cannot see that a warp waits for itself. */
	const bool may_fork = !run->info.gpu->generation->lockstep || run->launch->config.schedule;
	if (s->spins >= 4 && may_fork && warp_fork_waiting(w)) s->spins = 0;
	const bool alone = w->block->nwarps == 1 && w->splits.len == 1 && !s->suspected;
	return !alone || w->block->slices >= w->block->slice_limit;
}

bool slice_end(Warp *w, const Op *op) {
	assert(w->split->state == SPLIT_READY && w->done + w->part + w->rest <= SLICE);
	const uint32_t ran = w->part, blocks = w->done += ran;
	const bool whole = !w->rest;
	w->split->pc = op;
	if (whole)
		slice_begin(w);
	else
		part_begin(w);
	const bool yields = whole && slice_yields(w, op, blocks);
	if (must_stop(w, op, ran) || yields) return true;
	w->budget--;
	return false;
}
