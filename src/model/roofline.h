/* What a roofline observes (roofline.c) and what follows from it (roofline_time.c). */
#pragma once

#include "model/code/code.h"
#include "model/internal.h"
#include "model/trace.h"
#include "model/traffic/contention.h"
#include "model/traffic/footprint.h"
#include "model/traffic/l1.h"
#include "model/traffic/l2.h"

enum { L2_LOAD_PARTS = 1000 };

/* Counters of 64 bits alone: forks are added one by one. */
typedef struct {
	/* In thousandths of a sector read: at least l2_load_line for a line, by request. Whole numbers, whose sum does not
	 * depend on how blocks were dealt out. */
	uint64_t l2_loads;
	uint64_t store_sectors, store_lines, stored_bytes;
	uint64_t atomic_sectors;
	uint64_t shared_wavefronts, l1_wavefronts, local_sectors;
	uint64_t bulk_shared_bytes; /* written and read by copies that no warp moves */
	uint64_t loads, missed,
		l2_sectors;          /* warp instructions that wait, those of them L1 cannot serve, sectors they fetch */
	uint64_t constant_words; /* delivered one by one: none where a warp reads a single one */
	uint64_t texels;         /* fetched, by lane */
	uint64_t printed;        /* calls of printf by warps */
	uint64_t recorded, recorded_issued; /* blocks in the trace, and warp instructions of all of them */
} Traffic;

typedef struct {
	Collector base;
	InstrCost *costs;
	uint32_t *polls;   /* poll_loops; NULL: none. forks': the original's */
	NumberMap polling; /* poll_again */
	uint32_t ninstrs;
	bool is_fork;
	Traffic traffic;
	Footprint footprint;
	Contention contention;
	uint64_t *issued;                   /* [ninstrs] warp instructions */
	uint64_t longest, longest_recorded; /* those of the block that has most, of all and of those in the trace */
	/* Which block does how much is an accident of the order here: blocks get their work by what an atomic returns, or
	 * wait for each other. */
	bool dealt, may_deal; /* that happened; an instruction of the kernel does so */
	uint64_t squares[2];  /* sum of the squares of those of a block, and 2^64 times the second */
	L1 l1;                /* forks': their own */
	L1Loads in_l1;        /* which loads look there */
	bool one_memory;      /* L1 and shared memory are one: it has one set of banks, for all lines of a load */
	L2 l2;                /* what the launch comes back to; forks': their own */
	AccessPatterns patterns;
	Trace *trace;        /* forks': the original's; NULL: not replayed */
	uint32_t line_parts; /* at least so many of l2_loads for a line */
	uint32_t block;      /* of the last event */
	bool again;          /* poll_again of the last access */
	Recorded *recorded;  /* its trace; NULL: it has none */
} Roofline;

void roofline_predict(const Collector *self, const Occupancy *occupancy, Prediction *out);
