/* The loads and stores of a block, kept while it runs: how its threads and warps share them, and which loads overlap
 * with the use of shared memory.
 *
 * A load from global memory overlaps if its warp also reads shared memory between the same two barriers. A kernel that
 * fills a tile, waits, and then uses it overlaps none; with a second tile that is filled while the first one is in use,
 * all loads but those of the first tile have their share of the reads. */
#pragma once

#include "emu/observer.h"

typedef struct Loads Loads;

/* By thread: what is stored, and how much of it is a word next to the one that the lane before stores. */
typedef struct {
	uint64_t lanes, neighbors;
} StoreCounts;

typedef struct {
	uint64_t words;         /* of global and shared memory, by all threads */
	uint64_t lone_thread;   /* of these by the thread that loads most of them with at most seven others of its warp */
	uint64_t warp;          /* requests to load from global memory by the warp that makes most */
	uint64_t warp_words;    /* words of global memory by the warp that loads most */
	uint64_t warp_all;      /* of global and shared memory by the warp that loads most */
	uint64_t block_words;   /* of global memory by all warps */
	uint64_t warp_stores;   /* requests to store there by the warp that makes most */
	uint64_t thread_stored; /* words that the thread stores there which stores most */
	uint64_t late_words;    /* of global memory, loaded by warps that have stored there before */
	uint64_t tile_words;    /* different ones of shared memory that are stored to */
	StoreCounts shared, global;
	uint32_t last_lanes; /* lanes of the warp that has most of them, which load or exchange after its last barrier */
	uint32_t end_lanes;  /* of these per load or exchange, of the warp that makes most then */
	uint32_t combining;  /* warps whose lanes exchange values, or load different words of shared memory */
	uint64_t serial;     /* requests that would have to be between other barriers for each to have the same share of
	                       * loads and of uses; all of a warp that has no uses */
} LoadCounts;

Loads *loads_new(void);
void loads_add(Loads *loads, const Access *access); /* a load or a store, of global or shared memory */
/* A bulk copy stores the bytes at `at` from the block's shared base. */
void loads_bulk(Loads *loads, uint64_t at, uint32_t bytes);
/* Does it repeat the access that the warp made before it to global memory: the same instruction, addresses, and, of an
 * atomic, operand? Of all its accesses to global memory. */
bool loads_repeats(Loads *loads, const Access *access);
void loads_exchange(Loads *loads, uint32_t warp, uint32_t mask); /* a shuffle or a vote of these lanes */
void loads_barrier(Loads *loads, uint32_t warp);
LoadCounts loads_counts(const Loads *loads);
void loads_free(Loads *loads); /* NULL: nothing */
