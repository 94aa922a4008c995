/* What the two models share: each is an Observer of its own that model.c wraps. */
#pragma once

#include "model/code/feature.h"
#include "model/model.h"
#include "model/traffic/bus.h"
#include "model/traffic/placement.h"

/* What is kept of the LaunchInfo, which lives only as long as the launch. */
typedef struct {
	LaunchConfig config;
	uint64_t blocks, ran;    /* of the grid; fewer of them, where only a sample ran */
	uint32_t threads, warps; /* per block */
	uint32_t registers;      /* per thread */
	size_t shared;           /* static and dynamic bytes per block; on cc 1.x the kernel's arguments, too */
	size_t shared_params;    /* of them those of the arguments, on cc 1.x */
	bool seen, ended_well;
	Feature missing; /* what the GPU lacks for the kernel */
	BusTraffic bus;
	Placement placement;
} LaunchSeen;

/* The part of l2_gbps that loads from a buffer inside L2 attain on an H200. */
#define L2_ATTAINED 0.82
/* The part of l2_bytes that holds what a launch comes back to: of the 60 MB of an H200, sweeps of 36 MB lose 1 % in
 * between, of 44 MB 14 %, of 48 MB 41 %, of 52 MB 79 %. */
#define L2_KEPT 0.8
/* Latency of a load that hits in L1 in cycles (28 to 40 on V100 to RTX 4090), and of one that L2 does, of DRAM's
 * (0.36 to 0.49 on V100, A100, H200). */
#define L1_CLOCKS 33
#define L2_OF_DRAM 0.4
#define UNKNOWN_DRAM_CLOCKS 600
/* Blocks: cycles between two that start, for the whole GPU (empty kernels on an H200); ns per block for its start and
 * the drain of its stores (one block of 64 to 1024 threads per SM, on an H200). */
#define DISPATCH_CLOCKS 1.2
#define BLOCK_START_NS 160

/* One model: the first field is the observer the launch calls. */
typedef struct Collector {
	Observer base;
	const Gpu *gpu;
	bool count_only; /* no replay */
	bool follows;    /* the timeline of a block is wanted */
	uint32_t followed;
	LaunchSeen launch;
	void (*predict)(const struct Collector *self, const Occupancy *occupancy, Prediction *out);
	void (*free)(struct Collector *self);
} Collector;

Collector *queueing_new(const Gpu *gpu); /* cc 1.x */
Collector *roofline_new(const Gpu *gpu); /* cc >= 2.0 */

/* Fills seen from info; registers as the GPU would need them: cc 1.x has 32-bit addresses. */
void launch_seen(LaunchSeen *seen, const Gpu *gpu, const LaunchInfo *info);

/* Blocks that an SM of the GPU holds at once, no more than it gets. */
uint64_t launch_resident(const LaunchSeen *seen, const Gpu *gpu);
/* Neighboring blocks that are on the GPU at the same time, or as many of them as a sample has side by side. */
uint64_t launch_together(const LaunchSeen *seen, const Gpu *gpu);

/* ms: what the replay takes, and no less than any resource alone: nothing exceeds a peak. Where nothing was replayed it
 * is counted_ms. */
double predicted_time(const Prediction *prediction);

/* What limits a launch of so many resident warps, none of whose resources is busy. */
void name_latency(uint32_t warps, Prediction *out);

/* Cycles of a warp at a barrier. */
double launch_barrier(const LaunchSeen *seen, const Generation *g);

/* Time between customers leaving a closed queueing network: n customers, each visiting `stations` single servers for
 * demand[k] in turn and thinking (waiting without a queue) for `think` in between. Exact mean value analysis (Reiser
 * and Lavenberg, 1980). */
double mva_interval(const double *demand, int stations, double think, uint32_t customers);
