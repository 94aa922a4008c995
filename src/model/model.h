/* Predicts the time of a launch on a GPU from counted quantities (MODEL: count, don't simulate). A Model is an
 * observer that collects during the emulated launch; afterwards model_predict returns the time the GPU would take,
 * and what bounds it. cc 1.x: segments per partition over windows of resident blocks, DRAM pages, issue cycles, extra
 * wavefronts, combined by mean value analysis of a closed queue. cc >= 2.0: the replay of some blocks (trace.h), and
 * never less than a roofline: what DRAM, L2, shared wavefronts, issue slots or units take alone. The roofline says what
 * limits the launch. Several models may observe one launch. */
#pragma once

#include "emu/observer.h"
#include "gpu/gpu.h"
#include "replay/replay.h"

typedef struct Model Model;

/* What a launch's time can be limited by. */
#define LIMITS(X)                                                                                                      \
	X(DRAM, "DRAM bandwidth")                                                                                          \
	X(PAGES, "DRAM pages")                                                                                             \
	X(L2, "L2 bandwidth")                                                                                              \
	X(ATOMICS, "atomics in L2")                                                                                        \
	X(L1, "L1 wavefronts")                                                                                             \
	X(SHARED, "shared wavefronts")                                                                                     \
	X(CONSTANT, "constant cache")                                                                                      \
	X(BARRIERS, "barriers")                                                                                            \
	X(TEXTURES, "texture units")                                                                                       \
	X(ISSUE, "issue slots")                                                                                            \
	X(REGISTERS, "register banks")                                                                                     \
	X(MEMORY, "load and store units")                                                                                  \
	X(UNITS, "arithmetic units")                                                                                       \
	X(LATENCY, "latency")                                                                                              \
	X(BLOCKS, "block launch overhead")
#define LIMIT_ENUM(name, text) LIMIT_##name,
typedef enum { LIMITS(LIMIT_ENUM) LIMIT_COUNT } Limit;

const char *limit_name(Limit limit);

enum { STALL_LINES = 8 };

typedef struct {
	const Gpu *gpu;
	bool known;          /* false: the launch is not allowed there, or did not end well; bound and note say so */
	double milliseconds; /* kernel time, launch included */
	double counted_ms;   /* by counted quantities alone: queueing model or roofline, the longest of limits */
	double replayed_ms;  /* by replay of some blocks, from cc 2.0 on; 0: not replayed, or not what limits it */
	char bound[64];      /* the limiter's name, and more of it: "DRAM pages of partition 3", "latency at 12 warps"... */
	double error;        /* known relative error of such predictions (error.h): 0.04; 0: not known */
	double order;        /* of two predictions for the GPU that are this far apart the order is known; 0: no data */
	uint32_t blocks_per_sm, warps_per_sm;
	double
		limits[LIMIT_COUNT]; /* ms that the launch would take if nothing else limited it; 0: not used, or not modeled */
	double waiting_ms;       /* not 0: no resource is busy for most of that time, so latency is what limits it */
	bool bulk;               /* it has bulk copies */
	bool unequal;            /* blocks differ in length, and the time is that of the longest or busiest */
	bool unseen;             /* a block that was not replayed may take the time: no error is known */
	double dram_bytes;       /* that DRAM reads and writes */
	double most_updates;     /* atomic updates of the word that gets the most of them; 0 on cc 1.x: not counted */
	/* cc 1.x: demand of the slowest window of blocks on each DRAM partition */
	uint32_t npartitions;
	double partition_bytes[8], partition_pages[8];
	/* From cc 2.0 on, by replay: what its warps do, in warp cycles for each instruction that is issued, as Nsight
	 * Compute counts them. All 0: not replayed. */
	double stalls[STALL_COUNT];
	/* Lines where most warp cycles are spent, and on what; file: stall_file_of its name; share: of all cycles. Line 0:
	 * no more. */
	uint32_t stall_line[STALL_LINES], stall_file[STALL_LINES], stall_why[STALL_LINES];
	double stall_share[STALL_LINES];
	ReplayEvent *timeline; /* [ntimeline] of the followed block, lines for instructions; the caller frees */
	uint32_t ntimeline, timeline_block;
	char note[160]; /* e.g. "refused: 1024 threads per block, the GTX 280 allows 512", or "" */
} Prediction;

/* A number for the name of a file, which a prediction has room for. */
uint32_t stall_file_of(const char *file);

Model *model_new(const Gpu *gpu);
/* Before the launch: leaves out the replay, whose time and stall reasons are then missing. For a run that only serves
 * model_whole as the smaller sample. */
void model_count_only(Model *model);
/* Before the launch: the prediction also has the timeline of the block, or of another where a sample leaves it out.
 * Models of generations without a replay have none. */
void model_follow(Model *model, uint32_t block);
void model_free(Model *model);
Observer *model_observer(Model *model);
Prediction model_predict(const Model *model); /* after the launch */
/* What limits it: the longest of its limits, or latency where warps mostly wait. Its bound is then named after it, if
 * it does not begin with that name. */
Limit prediction_limiter(const Prediction *prediction);
Limit prediction_longest(const Prediction *prediction);
void prediction_name(Prediction *prediction);

/* The whole launch from two samples of its blocks (launch.h), less_blocks of them and twice as many: all others take
 * what the second half took, in whole waves of one block per SM. *error: the difference between the two halves. */
Prediction model_whole(const Prediction *less, const Prediction *more, uint64_t less_blocks, uint64_t blocks,
					   double *error);
