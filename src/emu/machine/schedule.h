/* Scheduling of blocks: shared by the ordinary schedule (schedule.c) and the adversarial ones (adversary.c). */
#pragma once

#include "emu/warp/warp.h"

/* Prepares the blocks of the cluster, new or from the pool; returns the first. */
Block *cluster_take(Worker *worker, uint64_t number);
/* Before its turn: looks at the cancel and the limit. One of its threads has not ended. */
bool cluster_must_stop(const Cluster *cluster);
/* Runs its blocks. True: they have ended, or the launch stops. False: it yields. */
bool cluster_run(Cluster *cluster);
/* Has one of its blocks run for so long that others should have a turn? Then it gets new time for its next one. */
bool cluster_yields(Cluster *cluster);
void cluster_done(Worker *worker,
				  const Cluster *cluster); /* notifies the observers and returns its blocks to the pool */
void block_pool_free(Worker *worker);
void split_run(Warp *warp, Split *split); /* until it waits, ends, or its time slice is over */

/* --- wait.c ------------------------------------------------------------------------------------------------------- */

typedef enum {
	TURN_WAITED, /* it only waits for a change of memory */
	TURN_OVER,   /* it went on as far as it could */
	TURN_RUN,    /* it is to run */
} Turn;

/* For a split that is suspected of waiting: polls it now and then. */
Turn split_turn(Warp *warp, Split *split);
bool cluster_waits(const Cluster *cluster); /* one of its warps does; else all that have not ended are at barriers */
/* All that the worker has only waits: lets others go on, or ends the launch if there are none. */
void worker_waits(Worker *worker, const Cluster *cluster);
bool block_waits(Block *block);          /* each of its warps, also if lanes below others in their warp have a turn */
void never_ends(const Cluster *cluster); /* ends the launch */

/* --- blocks.c, schedule.c ----------------------------------------------------------------------------------------- */

/* Splits that wait for lanes of their warp: they continue when those have arrived, or cannot because they wait
 * elsewhere. */
bool wake_gatherings(Warp *warp);

void run_blocks(Run *run);
void hand_over_printed(Run *run, bool describe); /* of all blocks, in order; or drops it */

/* All blocks of the launch on this worker, in the order that config.schedule is the seed of. */
void run_adversarially(Worker *worker);
