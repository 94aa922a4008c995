/* What trace.c records and trace_replay.c reads. */
#pragma once

#include "base/map.h"
#include "base/vec.h"
#include "model/trace.h"
#include "ptx/places.h"

struct Recorded {
	VEC(ReplayVisit) visits;
	VEC(ReplayAccess) accesses;
	VEC(uint64_t) sectors;
	uint32_t loop;                /* that polls, where the warp is; 0: in none */
	uint32_t in_loop;             /* the last block of code there; UINT32_MAX: its first iteration is over */
	uint32_t again, visits_again; /* the last block of code, and how often in a row it was visited */
	bool full;                    /* the rest of its way is left out */
	double all, kept;             /* issue slots of what the warp did, and of what was recorded */
};

/* An mbarrier, and the numbers of its phases. */
typedef struct {
	uint32_t now, before, parity;
} Phases;

typedef struct {
	NumberMap at; /* by address: index in mbarriers + 1 */
	VEC(Phases) mbarriers;
	uint32_t nevents;
} Mbarriers;

struct Trace {
	Lifted *lifted;
	Place *places;             /* [ninstrs] as reports name them */
	const char *file;          /* the kernel's */
	uint32_t *blocks, nblocks; /* their numbers in the grid, ascending */
	uint32_t rounds;           /* how many of them are replayed; the others are there to choose from */
	uint32_t warps;            /* of a block */
	double *slots;             /* [code.nblocks] issue slots */
	uint32_t most;             /* visits of a warp */
	Recorded *recorded;        /* [nblocks * warps] */
	Mbarriers *mbarriers;      /* [nblocks] */
	bool follows;
	uint32_t followed; /* of the grid */
};
