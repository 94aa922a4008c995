/* The end of a warp's time slice. */
#include "emu/exec/warp.h"

enum { SPINNING = SLICE / 8 /* synchronizing accesses in a slice that make it look like waiting */ };

const Op *slice_end(Warp *w, const Op *op) {
	Split *s = w->split;
	w->budget = SLICE;
	w->block->slices++;
	work_done(w->worker->run, SLICE);
	s->pc = op;
	s->spins = w->sync_ops >= SPINNING ? s->spins + 1 : 0;
	w->sync_ops = 0;
	if (must_stop(w->worker)) return NULL;
	if (s->spins >= 2 && !w->worker->run->independent)
		w->block->slice_limit = w->block->slices; /* it may wait for another block */
	if (s->spins >= 4 && warp_fork_waiting(w)) s->spins = 0;
	const bool alone = w->block->nwarps == 1 && w->nsplits == 1;
	return alone && w->block->slices < w->block->slice_limit ? op : NULL;
}
