/* What a compute capability settles, as data: a row each in gpus.def. No other code asks for a capability's number. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How a half-warp's accesses to global memory become transactions, and a warp's from 2.0 on. */
typedef enum {
	COALESCE_IN_ORDER, /* lane k reads word k of an aligned segment, or each lane has a transaction */
	COALESCE_SEGMENTS, /* the distinct segments, each shrunk to the part that is used */
	COALESCE_UNITS     /* the distinct lines or sectors */
} Coalescing;

typedef enum { L1_LOADS_NONE, L1_LOADS_READ_ONLY, L1_LOADS_ALL } L1Loads;

typedef struct {
	uint32_t cc; /* compute capability × 10 */
	/* --- the instruction set and what launches can do --- */
	bool tesla_isa;   /* operands and arguments in shared memory, 24-bit multiplication, 32-bit addresses */
	bool lockstep;    /* the lanes of a warp execute together; later they are scheduled one by one */
	bool cooperative; /* launches; and host code may use managed memory while a kernel runs */
	bool clusters;
	bool specific_code; /* sm_90a: instructions that no other compute capability has */
	/* --- rules of global and shared memory (rules_global.c, rules_shared.c) --- */
	Coalescing coalescing;
	uint32_t load_line;     /* bytes that a global load counts, and brings to L1; stores: 32. COALESCE_UNITS only */
	uint32_t request_bytes; /* words of global memory that one request holds; wider ones take half-warps or quarters */
	/* shared memory: wide words that pairs of lanes read together need half as many wavefronts */
	bool pairs_lanes;
	/* --- rates, from 2.0 on: what the model needs and the record of a GPU does not have --- */
	double dram_attained;        /* of the datasheet's bandwidth, by a large copy */
	double issue;                /* warp instructions per cycle and SM */
	double pass_clocks;          /* a wavefront of shared memory, a line of L1 */
	double barrier_clocks;       /* a warp at a barrier */
	double barrier_alone_clocks; /* one that is its block */
	double constant_clocks;      /* an address in the constant cache */
	double atomic_clocks;        /* an atomic operation in the same slice of L2 as the one before */
	double atomic_float_clocks;  /* of floating-point numbers, on the same word as the one before */
	double atomic_sectors;       /* reads of a sector that L2 as a whole can do in the time of an atomic operation */
	double texture_units;        /* of an SM, a texel per cycle each */
	L1Loads l1_loads;            /* which loads of global memory it keeps; READ_ONLY: ld.global.nc */
	size_t l1_bytes;             /* an SM's; with what shared memory leaves of it where l1_shared */
	bool l1_shared;
	uint32_t l1_line;    /* bytes fetched for a miss */
	uint32_t dram_piece; /* bytes DRAM is read in */
	/* What L2 does, in units of reading a sector: the least for a line that is read; storing a sector, and more for
	 * each line. */
	double l2_load_line, l2_store_sector, l2_store_line;
	bool l2_halves;                                /* it has two, and what SMs of both read is in both */
	double int_lanes, convert_lanes, memory_lanes; /* per cycle and SM */
	double half_lanes;                             /* of fp32_lanes, in instructions of two halves */
	float multiply;                                /* instructions of a 32-bit multiplication */
	float multiply_wide;                           /* of one with a 64-bit product */
	double multiply_use;                           /* of the integer units, in plain instructions */
	/* units of their own, which also add; 0: the integer units multiply */
	double multiply_lanes;
	bool halves_alternate; /* instructions of two halves alternate between two units, of which one takes all */
	bool register_banks;   /* operands in one register bank cost issue slots */
} Generation;
