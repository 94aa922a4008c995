/* cc >= 7.0: a roofline of counted quantities. Every resource of the GPU has a time that the launch needs it for at least:
 *
 *   DRAM        distinct sectors read and written, over what a copy attains (a re-read is taken to hit in L2)
 *   L2          sectors that miss in L1, stores; a sector written in part counts PARTIAL_WRITE times
 *   L1          wavefronts of shared memory, and cache lines of global accesses, one each a clock and SM
 *   issue       warp instructions, four a clock and SM
 *   pipes       warp instructions by class over the lanes of that class
 *   latency     what a block waits for, over the blocks an SM holds at once (Little's law)
 *
 * The prediction is the square root of the sum of their squares: near the largest where one dominates, more where two are alike,
 * as queues in between cost something then. Constants and checks: docs/model.md. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/code.h"
#include "model/footprint.h"
#include "model/internal.h"

#define DRAM_ATTAINED 0.90 /* of the datasheet: large copies on V100, A100, H200 */
#define PARTIAL_WRITE 4.0
#define BLOCK_OVERHEAD_NS 300 /* starting a block, its indices, draining its stores */
#define BARRIER_CLOCKS 30
enum { L1_SLOTS = 8192 }; /* sectors: 256 KB, the largest L1 there is */

typedef struct {
	uint64_t l2_read, l2_written, l2_partial; /* sectors; partial: written in part, not in l2_written */
	uint64_t shared_wavefronts, l1_lines;
	uint64_t local_sectors;
} Traffic;

typedef struct {
	Collector base;
	InstrCost *costs;
	uint32_t ninstrs;
	bool is_fork;
	Traffic traffic;
	Footprint footprint;
	uint64_t *issued; /* [ninstrs] warp instructions */
	/* a block's share of L1, direct-mapped by sector: which sector, in which block */
	uint64_t *l1_sector; /* [L1_SLOTS] */
	uint32_t *l1_block;  /* [L1_SLOTS] block + 1 */
	uint32_t l1_mask;    /* slots in use - 1; 0: no L1 left */
	uint32_t block;
} Roofline;

/* --- observing --------------------------------------------------------------------------------------------------- */

/* L1 and shared memory of an SM together (CUDA programming guide, compute capabilities 7.x to 9.0). */
static size_t l1_and_shared(const Gpu *gpu) {
	switch (gpu->cc) {
	case 75: return 96 * 1024;
	case 80: return 192 * 1024;
	case 90: return 256 * 1024;
	default: return 128 * 1024; /* 7.0, 8.6, 8.9 */
	}
}

/* What shared memory leaves of it, divided among the resident blocks, in sectors, as a power of two. */
static uint32_t l1_slots(const Gpu *gpu, const LaunchSeen *launch) {
	Occupancy o;
	if (!gpu_occupancy(gpu, launch->threads, launch->registers, launch->shared, &o, NULL)) return 1;
	size_t taken = o.blocks_per_sm * launch->shared, all = l1_and_shared(gpu);
	size_t sectors = taken < all ? (all - taken) / o.blocks_per_sm / 32 : 1;
	uint32_t slots = 1;
	while (2 * slots <= sectors && slots < L1_SLOTS) slots *= 2;
	return slots;
}

static void state_alloc(Roofline *r) {
	r->issued = xcalloc(r->ninstrs + 1, sizeof *r->issued);
	r->l1_sector = xcalloc(L1_SLOTS, sizeof *r->l1_sector);
	r->l1_block = xcalloc(L1_SLOTS, sizeof *r->l1_block);
}

static void state_free(Roofline *r) {
	free(r->issued);
	free(r->l1_sector);
	free(r->l1_block);
	footprint_free(&r->footprint);
	r->issued = NULL;
	r->l1_sector = NULL;
	r->l1_block = NULL;
}

static void on_launch_begin(Observer *self, const LaunchInfo *info) {
	Roofline *r = (Roofline *)self;
	state_free(r);
	free(r->costs);
	launch_seen(&r->base.launch, r->base.gpu, info);
	r->costs = code_costs(r->base.gpu, info);
	r->ninstrs = info->ninstrs;
	r->traffic = (Traffic){0};
	r->l1_mask = l1_slots(r->base.gpu, &r->base.launch) - 1;
	state_alloc(r);
}

static Observer *on_fork(Observer *self) {
	Roofline *r = (Roofline *)self, *fork = xcalloc(1, sizeof *fork);
	fork->base = r->base;
	fork->costs = r->costs;
	fork->ninstrs = r->ninstrs;
	fork->is_fork = true;
	fork->l1_mask = r->l1_mask;
	state_alloc(fork);
	return &fork->base.base;
}

static void on_join(Observer *self, Observer *forked) {
	Roofline *r = (Roofline *)self, *fork = (Roofline *)forked;
	Traffic *to = &r->traffic;
	const Traffic *from = &fork->traffic;
	to->l2_read += from->l2_read;
	to->l2_written += from->l2_written;
	to->l2_partial += from->l2_partial;
	to->shared_wavefronts += from->shared_wavefronts;
	to->l1_lines += from->l1_lines;
	to->local_sectors += from->local_sectors;
	for (uint32_t i = 0; i < r->ninstrs; i++) r->issued[i] += fork->issued[i];
	footprint_merge(&r->footprint, &fork->footprint);
	state_free(fork);
	free(fork);
}

static void on_block_begin(Observer *self, uint32_t block) {
	((Roofline *)self)->block = block + 1;
}

/* Sectors of the list that L1 does not have; it has them afterwards. */
static uint32_t l1_misses(Roofline *r, const Segment *segments, uint32_t n) {
	uint32_t misses = 0;
	for (uint32_t i = 0; i < n; i++) {
		uint64_t sector = segments[i].base >> 5;
		uint32_t slot = (uint32_t)(sector ^ sector >> 13) & r->l1_mask;
		if (r->l1_sector[slot] == sector && r->l1_block[slot] == r->block) continue;
		r->l1_sector[slot] = sector;
		r->l1_block[slot] = r->block;
		misses++;
	}
	return misses;
}

static uint32_t lines_of(const Segment *segments, uint32_t n) {
	uint32_t lines = 0;
	for (uint32_t i = 0; i < n; i++) lines += !i || segments[i].base >> 7 != segments[i - 1].base >> 7;
	return lines;
}

/* Sectors a store fills with all their 32 bytes. Lanes are taken to write different bytes. */
static uint32_t whole_sectors(const Access *a, const Segment *segments, uint32_t n) {
	if ((uint32_t)__builtin_popcount(a->mask) * a->width == 32 * n) return n;
	uint32_t filled[MAX_SEGMENTS] = {0}, k = 0, whole = 0;
	for (uint32_t m = a->mask; m; m &= m - 1) {
		uint64_t base = a->addr[__builtin_ctz(m)] & ~(uint64_t)31;
		for (uint32_t tried = 0; segments[k].base != base && tried < n; tried++) k = k + 1 < n ? k + 1 : 0;
		filled[k] += a->width;
	}
	for (uint32_t i = 0; i < n; i++) whole += filled[i] >= 32;
	return whole;
}

static void on_global(Roofline *r, const Access *a) {
	Segment segments[MAX_SEGMENTS];
	GlobalCost cost = gpu_global_cost(r->base.gpu, a->addr, a->mask, a->width, a->kind != ACCESS_LOAD, segments);
	uint32_t n = cost.transactions;
	for (uint32_t i = 0; i < n; i++) footprint_touch(&r->footprint, segments[i].base, a->kind != ACCESS_LOAD);
	r->traffic.l1_lines += lines_of(segments, n);
	if (a->kind == ACCESS_LOAD) {
		bool cached = a->cache != CACHE_CG && a->cache != CACHE_CV && a->sem != SEM_VOLATILE && r->l1_mask;
		r->traffic.l2_read += cached ? l1_misses(r, segments, n) : n;
	} else if (a->kind == ACCESS_STORE) {
		uint32_t whole = whole_sectors(a, segments, n);
		r->traffic.l2_written += whole;
		r->traffic.l2_partial += n - whole;
	} else {
		r->traffic.l2_read += n;
		r->traffic.l2_partial += n;
	}
}

static void on_access(Observer *self, const Access *a) {
	Roofline *r = (Roofline *)self;
	switch (a->space) {
	case SPACE_GLOBAL: on_global(r, a); break;
	case SPACE_SHARED:
		r->traffic.shared_wavefronts +=
			gpu_shared_cost(r->base.gpu, a->addr, a->mask, a->width, a->kind == ACCESS_STORE).wavefronts;
		break;
	case SPACE_LOCAL: /* threads' words interleaved: whole sectors, which mostly stay in L1 */
		r->traffic.local_sectors += ((uint64_t)__builtin_popcount(a->mask) * a->width + 31) / 32;
		break;
	default: break;
	}
}

static void on_block_end(Observer *self, const BlockCounts *counts) {
	Roofline *r = (Roofline *)self;
	for (uint32_t i = 0; i < r->ninstrs; i++) r->issued[i] += counts->warps[i];
}

static void on_launch_end(Observer *self, const LaunchOutcome *outcome) {
	((Roofline *)self)->base.launch.ended_well = outcome->status == LAUNCH_OK;
}

static const ObserverOps roofline_ops = {
	.fork = on_fork,
	.join = on_join,
	.launch_begin = on_launch_begin,
	.block_begin = on_block_begin,
	.access = on_access,
	.block_end = on_block_end,
	.launch_end = on_launch_end,
};

/* --- predicting -------------------------------------------------------------------------------------------------- */

typedef struct {
	double ns;
	char name[48];
} Resource;

enum { MAX_RESOURCES = PIPE_COUNT + 6 };

typedef struct {
	Resource items[MAX_RESOURCES];
	uint32_t len;
} Resources;

static void add_resource(Resources *r, double ns, const char *name) {
	Resource *item = &r->items[r->len++];
	item->ns = ns;
	snprintf(item->name, sizeof item->name, "%s", name);
}

/* Bytes a ns. Unknown: what the measured ones have by SM and clock, 32 B. */
static double l2_bandwidth(const Gpu *gpu) {
	return gpu->l2_gbps > 0 ? gpu->l2_gbps : 32.0 * gpu->sms * gpu->shader_ghz;
}

/* Lanes an SM has for each class a clock (CUDA programming guide, throughput of native arithmetic instructions); 0: not a limit
 * that is modelled. */
static double lanes_of(const Gpu *gpu, Pipe pipe) {
	switch (pipe) {
	case PIPE_INT: return 64;
	case PIPE_FP32: return gpu->fp32_lanes;
	case PIPE_FP64: return gpu->fp32_lanes * gpu->fp64_ratio;
	case PIPE_FP16: return gpu->cc == 80 ? 256 : 2.0 * (gpu->cc == 86 || gpu->cc == 89 ? 64 : gpu->fp32_lanes);
	case PIPE_SFU: return gpu->sfu_lanes;
	case PIPE_CONVERT: return gpu->cc >= 80 ? 64 : 16;
	case PIPE_MEMORY: return 32;
	default: return 0;
	}
}

static const char *pipe_name(Pipe pipe) {
	static const char *const names[PIPE_COUNT] = {[PIPE_INT] = "integer units",
												  [PIPE_FP32] = "FP32 units",
												  [PIPE_FP64] = "FP64 units",
												  [PIPE_FP16] = "FP16 units",
												  [PIPE_SFU] = "special functions",
												  [PIPE_CONVERT] = "conversions",
												  [PIPE_MEMORY] = "load and store units"};
	return names[pipe] ? names[pipe] : "";
}

typedef struct {
	double issue, pipes[PIPE_COUNT];
	double wait; /* clocks, summed over warps */
	double barriers;
} Work;

static Work work_of(const Roofline *r) {
	Work work = {0};
	for (uint32_t i = 0; i < r->ninstrs; i++) {
		double n = (double)r->issued[i];
		const InstrCost *cost = &r->costs[i];
		work.issue += n * (double)cost->issue;
		work.pipes[cost->pipe] += n * (double)cost->pipe_use;
		work.wait += n * (double)cost->wait;
		work.barriers += cost->barrier ? n : 0;
	}
	return work;
}

static void memory_resources(const Roofline *r, Resources *out) {
	const Gpu *gpu = r->base.gpu;
	uint64_t read, written;
	footprint_count(&r->footprint, &read, &written);
	double dram = 32.0 * (double)(read + written) / (gpu->dram_gbps * DRAM_ATTAINED);
	const Traffic *t = &r->traffic;
	double sectors = (double)(t->l2_read + t->l2_written) + PARTIAL_WRITE * (double)t->l2_partial;
	add_resource(out, dram, "DRAM bandwidth");
	add_resource(out, 32 * sectors / l2_bandwidth(gpu),
				 t->l2_partial > t->l2_read + t->l2_written ? "L2 partial writes" : "L2 bandwidth");
}

/* ns_a_clock is that of one SM, made longer where the last round of blocks leaves SMs idle. */
static void sm_resources(const Roofline *r, const Work *work, double ns_a_clock, Resources *out) {
	const Gpu *gpu = r->base.gpu;
	const Traffic *t = &r->traffic;
	double wavefronts = (double)(t->shared_wavefronts + t->l1_lines + t->local_sectors / 4);
	add_resource(out, wavefronts * ns_a_clock, t->shared_wavefronts > t->l1_lines ? "shared wavefronts" : "L1 lines");
	add_resource(out, work->issue / 4 * ns_a_clock, "issue slots");
	for (int p = 0; p < PIPE_COUNT; p++) {
		double lanes = lanes_of(gpu, (Pipe)p);
		if (lanes > 0 && work->pipes[p] > 0)
			add_resource(out, work->pipes[p] * 32 / lanes * ns_a_clock, pipe_name((Pipe)p));
	}
}

static const Resource *largest(const Resources *r) {
	const Resource *best = &r->items[0];
	for (uint32_t i = 1; i < r->len; i++)
		if (r->items[i].ns > best->ns) best = &r->items[i];
	return best;
}

/* Issue, pipes and L1 belong to one SM and overlap well: of them only the largest counts. */
static double combine(const Resources *memory, const Resources *sm, double latency) {
	double sum = latency * latency, worst = largest(sm)->ns;
	for (uint32_t i = 0; i < memory->len; i++) sum += memory->items[i].ns * memory->items[i].ns;
	return sqrt(sum + worst * worst);
}

/* Checked against a GPU (docs/model.md); for the others nobody has. */
static double known_error(const Gpu *gpu) {
	return strcmp(gpu->name, "H200") ? 0 : 0.25;
}

static void note_estimates(const Gpu *gpu, Prediction *out) {
	bool l2 = !(gpu->l2_gbps > 0), latency = !(gpu->latency_dram > 0);
	if (l2 || latency)
		snprintf(out->note, sizeof out->note, "estimated for want of figures: %s%s%s", l2 ? "L2 bandwidth" : "",
				 l2 && latency ? ", " : "", latency ? "DRAM latency" : "");
}

static void roofline_predict(const Collector *self, const Occupancy *occupancy, Prediction *out) {
	const Roofline *r = (const Roofline *)self;
	const Gpu *gpu = self->gpu;
	Work work = work_of(r);
	double blocks = (double)self->launch.blocks, rounds = ceil(blocks / gpu->sms);
	double resident = rounds < occupancy->blocks_per_sm ? rounds : occupancy->blocks_per_sm;
	double warps = blocks * self->launch.warps;

	Resources memory = {.len = 0}, sm = {.len = 0};
	memory_resources(r, &memory);
	sm_resources(r, &work, rounds / blocks / gpu->shader_ghz, &sm);
	double wait = (work.wait + BARRIER_CLOCKS * work.barriers) / warps / gpu->shader_ghz + BLOCK_OVERHEAD_NS;
	double latency = wait * rounds / resident;
	double ns = combine(&memory, &sm, latency);

	const Resource *a = largest(&memory), *b = largest(&sm), *bound = a->ns > b->ns ? a : b;
	if (latency > bound->ns)
		snprintf(out->bound, sizeof out->bound, "latency at %u warps", (uint32_t)(resident * self->launch.warps));
	else
		snprintf(out->bound, sizeof out->bound, "%s", bound->name);
	out->milliseconds = ns * 1e-6 + gpu->launch_us * 1e-3;
	out->error = known_error(gpu);
	note_estimates(gpu, out);
}

static void roofline_free(Collector *self) {
	Roofline *r = (Roofline *)self;
	state_free(r);
	if (!r->is_fork) free(r->costs);
	free(r);
}

Collector *roofline_new(const Gpu *gpu) {
	Roofline *r = xcalloc(1, sizeof *r);
	r->base.base.ops = &roofline_ops;
	r->base.gpu = gpu;
	r->base.predict = roofline_predict;
	r->base.free = roofline_free;
	return &r->base;
}
