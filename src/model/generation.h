/* What an SM and its memory can do each clock, by compute capability from 2.0 on: what gpus.def has no figures of. */
#ifndef GPULAB_MODEL_GENERATION_H
#define GPULAB_MODEL_GENERATION_H

#include "gpu/gpu.h"
#include "model/code.h"

typedef enum { L1_LOADS_NONE, L1_LOADS_READ_ONLY, L1_LOADS_ALL } L1Loads;

typedef struct {
	uint32_t from_cc;       /* the first it is of */
	double dram_attained;   /* of the datasheet's bandwidth, by a large copy */
	double issue;           /* warp instructions a clock and SM */
	double pass_clocks;     /* a wavefront of shared memory, a line of L1 */
	double barrier_clocks;  /* a warp at a barrier */
	double constant_clocks; /* an address in the constant cache */
	L1Loads l1_loads;       /* which loads of global memory it keeps; READ_ONLY: ld.global.nc */
	size_t l1_bytes;        /* an SM's; with what shared memory leaves of it where l1_shared */
	bool l1_shared;
	uint32_t l1_line;    /* bytes fetched for a miss */
	uint32_t dram_piece; /* bytes DRAM is read in */
	/* What L2 does, in units of reading a sector: the least for a line that is read; storing a sector, and more for each line. */
	double l2_load_line, l2_store_sector, l2_store_line;
	double int_lanes, convert_lanes, memory_lanes,
		half_lanes;      /* a clock and SM; half_lanes: of fp32_lanes, in instructions of two halves */
	float multiply;      /* instructions of a 32-bit multiplication */
	float multiply_wide; /* of one with a 64-bit product */
	double multiply_use; /* of the integer units, in plain instructions */
} Generation;

const Generation *generation_of(const Gpu *gpu); /* cc >= 2.0 */

/* Bytes a ns that a large copy moves: as measured on this GPU where gpus.def or a calibration says, else of the datasheet. */
double generation_dram(const Gpu *gpu);
/* Bytes a ns of L2; unknown: 32 B a clock and SM, what those that were measured have. */
double generation_l2(const Gpu *gpu);
/* Lanes an SM has for a class of instructions a clock; 0: no limit that is modelled. */
double generation_lanes(const Gpu *gpu, Pipe pipe);

#endif
