/* What a launch reached: what its busiest warp issued, which warps and threads took part, how often threads
 * updated the same address, how often it used what a task is about, how many sectors its accesses touched because their
 * lanes' addresses are apart, and how many loads do not overlap with the use of shared memory. An observer; unlike
 * counters, little of this can be added up over launches. */
#pragma once

#include "emu/observer.h"

typedef struct {
	uint64_t busiest_warp;  /* instructions it issued, without those that wait */
	uint64_t working_warps; /* that access global memory at all */
	uint64_t working_threads;
	uint64_t combining_warps;   /* whose lanes exchange values, or load different words of shared memory */
	uint64_t idle_at_end;       /* lanes of a warp that neither load nor exchange after the block's last barrier, in the
	                           * warp that has fewest; of the block that has most */
	uint64_t away_at_end;       /* lanes that a load or an exchange is without there, on average; of the same block */
	uint64_t busiest_address;   /* atomics on one address of global memory, counted by thread */
	uint64_t scattered_sectors; /* of loads and stores, beyond those of as many bytes in one piece */
	uint64_t scattered_in_block; /* of the block that has most of them */
	uint64_t loaded_words;       /* from global and shared memory, by all threads */
	uint64_t lone_thread;    /* of these by the thread that loads most of them with at most seven others of its warp */
	uint64_t busiest_loads;  /* requests to global memory by the warp that makes most */
	uint64_t busiest_words;  /* of global memory by the warp that loads most */
	uint64_t warp_words;     /* of global and shared memory by the warp that loads most */
	uint64_t block_words;    /* of global memory by the block that loads most */
	uint64_t thread_stored;  /* words of global memory by the thread that stores most */
	uint64_t constant_words; /* of constant memory, by all threads */
	uint64_t shared_stored;  /* bytes of shared memory, by all threads */
	uint64_t link_sectors;   /* read in mapped host memory: of each request, the different ones */
	uint64_t busiest_stores; /* the same of stores */
	uint64_t late_words;     /* of global memory, loaded by warps that have stored there before */
	uint64_t tile_words;     /* different ones of shared memory that blocks store to */
	/* By thread: what is stored, and how much of it is a word next to the one that the lane before stores. */
	uint64_t shared_stores, shared_neighbors, global_stores, global_neighbors;
	uint64_t mbarriers; /* that are initialized */
	/* Instructions of a kind, by warp. */
	uint64_t conversions; /* between floats and integers */
	uint64_t gathers;     /* of four texels */
	uint64_t divisions;   /* of integers, and their remainders */
	uint64_t votes, shuffles, activemasks;
	uint64_t products;                    /* mma.sync */
	uint64_t popcounts, float_operations; /* by thread; sums and products in single precision */
	uint64_t bit_operations; /* by thread: and, or, xor, shifts to the right, fields and permutations of bits */
	uint64_t shared_updates; /* atomics on shared memory, by thread */
	uint64_t waiting;      /* in the toolkit's own code that arrives at a cuda::barrier or pipeline, and waits there */
	uint64_t polls;        /* atomics that only wait: see is_poll; only link_sectors counts them, and loads that do */
	uint64_t serial_loads; /* requests of a warp to global memory that it does not overlap (loads.h) */
	uint64_t copy_uses;    /* requests to load from shared memory since the block's first cp.async */
	uint64_t copy_bytes;   /* of copies that the warp had in flight, summed over these (copies.h) */
} Reach;

typedef struct ReachObserver ReachObserver;

ReachObserver *reach_new(void);
void reach_free(ReachObserver *observer);
Observer *reach_base(ReachObserver *observer);
Reach reach_of(const ReachObserver *observer); /* after the launch */
