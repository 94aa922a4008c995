/* How blocks come to run: what the ordinary schedule (schedule.c) and the adversarial ones (adversary.c) share. */
#ifndef GPULAB_EMU_SCHEDULE_H
#define GPULAB_EMU_SCHEDULE_H

#include "emu/warp.h"

Block *block_take(Worker *worker, uint64_t number); /* made or taken from the pool, at its beginning */
void block_done(Worker *worker, Block *block);      /* tells the observers and puts it back */
void block_pool_free(Worker *worker);
bool must_stop(Worker *worker);
void split_run(Warp *warp, Split *split); /* until it waits, ends, or its time slice is over */
/* Splits that wait for lanes of their warp: they go on when those are there, or cannot come because they wait elsewhere. */
bool wake_gatherings(Warp *warp);

/* All blocks of the launch on this worker, in the order that config.schedule is the seed of. */
void work_adversarially(Worker *worker);

#endif
