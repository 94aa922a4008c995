/* How blocks come to run: what the ordinary schedule (schedule.c) and the adversarial ones (adversary.c) share. */
#ifndef GPULAB_EMU_SCHEDULE_H
#define GPULAB_EMU_SCHEDULE_H

#include "emu/warp.h"

/* The first block of the cluster, made or taken from the pool, as all of them, at its beginning. */
Block *cluster_take(Worker *worker, uint64_t number);
void cluster_done(Worker *worker, const Cluster *cluster); /* tells the observers and puts its blocks back */
void block_pool_free(Worker *worker);
bool must_stop(Worker *worker);
void split_run(Warp *warp, Split *split); /* until it waits, ends, or its time slice is over */
/* Splits that wait for lanes of their warp: they go on when those are there, or cannot come because they wait elsewhere. */
bool wake_gatherings(Warp *warp);

/* All blocks of the launch on this worker, in the order that config.schedule is the seed of. */
void work_adversarially(Worker *worker);

#endif
