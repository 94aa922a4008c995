/* cc >= 2.0: a roofline of counted quantities. The launch needs each resource of the GPU for a minimum time:
 *
 *   DRAM        distinct bytes read and written, and those that L2 lost in between, over what a copy attains
 *   L2          sectors that miss in L1, stores, and their requests, one per cache line and warp instruction
 *   atomics     operations of the busiest slice of L2, or on the word that has most (traffic/contention.h)
 *   dispatch    blocks to start
 *   SM          the busiest of: wavefronts of shared memory and lines of L1; issue slots; each class of units; words of
 *               the constant cache; texels of the texture units
 *   latency     the waiting time of a block, over the blocks resident on an SM (Little's law)
 *
 * The longest is what limits the launch, and no prediction is below it. The time is the replay's (trace.h), which also
 * has what is lost where resources wait for each other. What differs by generation is in gpu/gpus.def, constants
 * and checks are in docs/reference/models.md. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/roofline.h"

/* What warps wait besides, for the latency: ns per warp, for reads behind writes (as if each block copied; one block of
 * 64 to 1024 threads per SM, on an H200), and cycles per barrier. */
#define WARP_WAIT_NS 10
#define BARRIER_CLOCKS 30

/* To open a page of DRAM takes as long as to move so much of one: estimate, chosen on a V100 and an RTX 3060. Before
 * cc 6.0 transpositions are within 6 % of copies (M2050, K20c: Harris, An Efficient Matrix Transpose in CUDA C/C++). */
#define PAGE_OPENS (64.0 / 1024)
enum { PAGES_SHOW = 60 };

typedef struct {
	Limit limit;
	double ns;
	char name[48];
} Resource;

enum { MAX_RESOURCES = PIPE_COUNT + 12 };

typedef struct {
	Resource items[MAX_RESOURCES];
	uint32_t len;
} Resources;

static void add_resource(Resources *r, Limit limit, double ns, const char *name) {
	Resource *item = &r->items[r->len++];
	item->limit = limit;
	item->ns = ns;
	snprintf(item->name, sizeof item->name, "%s", name);
}

static const char *pipe_name(Pipe pipe) {
	static const char *const names[PIPE_COUNT] = {
		[PIPE_INT] = "arithmetic units (integers)",        [PIPE_MULTIPLY] = "arithmetic units (multipliers)",
		[PIPE_FP32] = "arithmetic units (FP32)",           [PIPE_FP64] = "arithmetic units (FP64)",
		[PIPE_FP16] = "arithmetic units (FP16)",           [PIPE_SFU] = "arithmetic units (special functions)",
		[PIPE_CONVERT] = "arithmetic units (conversions)", [PIPE_MEMORY] = "load and store units",
		[PIPE_MATRIX] = "arithmetic units (tensor cores)"};
	return names[pipe] ? names[pipe] : "";
}

typedef struct {
	double issue, bank_conflicts, pipes[PIPE_COUNT];
	double wait;  /* cycles, summed over warps, as if every load came from DRAM */
	double loads; /* of them one after the other, summed over warps */
	double barriers;
} Work;

static Work work_of(const Roofline *r) {
	Work work = {0};
	for (uint32_t i = 0; i < r->ninstrs; i++) {
		double n = (double)r->issued[i];
		const InstrCost *cost = &r->costs[i];
		work.issue += n * (double)cost->issue;
		work.bank_conflicts += n * (double)cost->bank_conflicts;
		work.pipes[cost->pipe] += n * (double)cost->pipe_use;
		work.wait += n * (double)cost->wait;
		work.loads += n * (double)cost->global_waits;
		work.barriers += cost->barrier ? n : 0;
	}
	return work;
}

typedef struct {
	double read, written; /* bytes, what half-written sectors are filled up with among those read */
	double sectors;       /* fetched because a load asked for them */
	double longer;        /* than a copy of as many bytes takes */
} Dram;

/* A run of a sample stands for the blocks that are on the GPU at once, with its share of L2. */
static L2Repeats repeats(const Roofline *r) {
	const Gpu *gpu = r->base.gpu;
	const LaunchSeen *seen = &r->base.launch;
	const uint64_t there = launch_resident(seen, gpu) * gpu->sms;
	const uint64_t wave = seen->ran < seen->blocks ? launch_sample_run(&seen->config) : there;
	if (!gpu->l2_bytes) return (L2Repeats){1, 1, 1};
	return l2_repeats(&r->l2, wave, L2_KEPT * (double)gpu->l2_bytes * (double)wave / (double)there,
					  gpu->generation->l2_halves);
}

/* From Ampere on DRAM is read in pieces of 64 bytes (loads of one sector in two or four, on an H200); what a launch
 * leaves half-written in a sector has to be filled up from there, too. */
static Dram dram_of(const Roofline *r) {
	uint64_t sectors, pairs, written, blind;
	footprint_count(&r->footprint, &sectors, &pairs, &written, &blind);
	const L2Repeats again = repeats(r);
	const uint32_t piece = r->base.gpu->generation->dram_piece;
	const double read = piece == 64 ? 64.0 * (double)pairs : 32.0 * (double)sectors;
	double missing = (double)written - (double)r->traffic.stored_bytes / 32;
	missing *= written ? (double)blind / (double)written : 0; /* what was read before is in L2 when it is written */
	return (Dram){.read = read * again.reads + (missing > 0 ? piece * missing : 0),
				  .written = 32.0 * (double)written * again.writes,
				  .sectors = (double)sectors * again.reads,
				  .longer = r->base.gpu->cc >= PAGES_SHOW ? 1 + PAGE_OPENS * (again.pages - 1) : 1};
}

static double dram_bytes(const Dram *dram) {
	return dram->read + dram->written;
}

/* A part's tensor core takes an instruction every two cycles; longer ones count several times (code.c). */
enum { MATRIX_LANES = 64 };

/* Lanes an SM has for a class of instructions per cycle; 0: no limit that is modeled. */
static double lanes_of(const Gpu *gpu, Pipe pipe) {
	const Generation *g = gpu->generation;
	switch (pipe) {
	case PIPE_INT: return g->int_lanes;
	case PIPE_FP32: return gpu->fp32_lanes;
	case PIPE_MULTIPLY: return g->multiply_lanes;
	case PIPE_FP64: return gpu->fp32_lanes * gpu->fp64_ratio;
	case PIPE_FP16: return gpu->fp32_lanes * g->half_lanes;
	case PIPE_SFU: return gpu->sfu_lanes;
	case PIPE_CONVERT: return g->convert_lanes;
	case PIPE_MEMORY: return g->memory_lanes;
	case PIPE_MATRIX: return MATRIX_LANES;
	default: return 0;
	}
}

static double l2_loads(const Roofline *r) {
	return (double)r->traffic.l2_loads / L2_LOAD_PARTS;
}

static double l2_stores(const Roofline *r) {
	const Generation *g = r->base.gpu->generation;
	return g->l2_store_sector * (double)r->traffic.store_sectors + g->l2_store_line * (double)r->traffic.store_lines;
}

static void memory_resources(const Roofline *r, const Dram *dram, Resources *out) {
	const Gpu *gpu = r->base.gpu;
	const double loads = l2_loads(r), stores = l2_stores(r);
	add_resource(out, LIMIT_DRAM, dram_bytes(dram) * dram->longer / gpu_copy_gbps(gpu), limit_name(LIMIT_DRAM));
	add_resource(out, LIMIT_L2, 32 * (loads + stores) / (gpu_l2_gbps(gpu) * L2_ATTAINED),
				 stores > loads ? "L2 bandwidth (stores)" : "L2 bandwidth (loads)");
	const double there = (double)launch_resident(&r->base.launch, gpu) * gpu->sms, all = (double)r->base.launch.blocks;
	add_resource(out, LIMIT_ATOMICS, contention_ns(&r->contention, gpu, fmin(there, all)), limit_name(LIMIT_ATOMICS));
}

/* Integer work where additions go to whichever units are free, the integer ones or the multipliers, which on cc 7.0 to
 * 8.0 are all of the FP32 units. */
static double balanced_units(const Gpu *gpu, const Work *work) {
	const double *pipes = work->pipes, lanes = lanes_of(gpu, PIPE_MULTIPLY);
	const double floats = gpu->fp32_lanes > lanes ? 0 : pipes[PIPE_FP32];
	if (pipes[PIPE_ADD] <= 0) return 0;
	return (pipes[PIPE_INT] + pipes[PIPE_ADD] + pipes[PIPE_MULTIPLY] + floats) * 32 / (lanes_of(gpu, PIPE_INT) + lanes);
}

/* ns_per_cycle is that of one SM, longer where the last wave of blocks leaves SMs idle. */
static void sm_resources(const Roofline *r, const Work *work, double ns_per_cycle, Resources *out) {
	const Gpu *gpu = r->base.gpu;
	const Generation *g = gpu->generation;
	const Traffic *t = &r->traffic;
	double wavefronts =
		(double)(t->shared_wavefronts + t->l1_wavefronts + t->local_sectors / 4 + t->bulk_shared_bytes / 128);
	const Limit pass = t->shared_wavefronts > t->l1_wavefronts ? LIMIT_SHARED : LIMIT_L1;
	add_resource(out, pass, wavefronts * g->pass_clocks * ns_per_cycle, limit_name(pass));
	/* Operands that share a register bank take issue slots; they are named where they cost something. */
	const Limit issue = work->bank_conflicts > 0.05 * work->issue ? LIMIT_REGISTERS : LIMIT_ISSUE;
	add_resource(out, issue, (work->issue + work->bank_conflicts) / g->issue * ns_per_cycle, limit_name(issue));
	const double words = (double)t->constant_words * g->constant_clocks,
				 waits = work->barriers * launch_barrier(&r->base.launch, g);
	const Limit serial = words > waits ? LIMIT_CONSTANT : LIMIT_BARRIERS;
	add_resource(out, serial, (words + waits) * ns_per_cycle, limit_name(serial));
	add_resource(out, LIMIT_UNITS, balanced_units(gpu, work) * ns_per_cycle, pipe_name(PIPE_INT));
	add_resource(out, LIMIT_TEXTURES, (double)t->texels / g->texture_units * ns_per_cycle, limit_name(LIMIT_TEXTURES));
	for (int p = 0; p < PIPE_COUNT; p++) {
		const double lanes = lanes_of(gpu, (Pipe)p), also = p == PIPE_FP32 ? work->pipes[PIPE_MULTIPLY] : 0;
		if (lanes > 0 && work->pipes[p] > 0)
			add_resource(out, p == PIPE_MEMORY ? LIMIT_MEMORY : LIMIT_UNITS,
						 (work->pipes[p] + also) * 32 / lanes * ns_per_cycle, pipe_name((Pipe)p));
	}
}

/* Average latency of a load in cycles, by where it hits. */
static double load_cycles(const Roofline *r, const Dram *from) {
	const Traffic *t = &r->traffic;
	const double dram = r->base.gpu->latency_dram > 0 ? r->base.gpu->latency_dram : UNKNOWN_DRAM_CLOCKS;
	if (!t->loads) return dram;
	const double missed = (double)t->missed / (double)t->loads;
	double first = t->l2_sectors ? from->sectors / (double)t->l2_sectors : 1;
	if (first > 1) first = 1;
	return (1 - missed) * L1_CLOCKS + missed * dram * (first + (1 - first) * L2_OF_DRAM);
}

/* Total cycles a warp waits. */
static double wait_cycles(const Roofline *r, const Dram *from, const Work *work, double warps) {
	const double dram = r->base.gpu->latency_dram > 0 ? r->base.gpu->latency_dram : UNKNOWN_DRAM_CLOCKS;
	const double saved = work->loads * (dram - load_cycles(r, from));
	return (work->wait - (saved < work->wait ? saved : work->wait) + BARRIER_CLOCKS * work->barriers) / warps;
}

static void keep_limits(const Resources *r, Prediction *out) {
	for (uint32_t i = 0; i < r->len; i++) {
		double *limit = &out->limits[r->items[i].limit];
		if (r->items[i].ns * 1e-6 > *limit) *limit = r->items[i].ns * 1e-6;
	}
}

static const Resource *largest(const Resources *r) {
	const Resource *best = &r->items[0];
	for (uint32_t i = 1; i < r->len; i++)
		if (r->items[i].ns > best->ns) best = &r->items[i];
	return best;
}

static void add_note(Prediction *out, const char *text) {
	const size_t used = strlen(out->note);
	snprintf(out->note + used, sizeof out->note - used, "%s%s", used ? "; " : "", text);
}

static void add_notes(const Roofline *r, Prediction *out) {
	const Gpu *gpu = r->base.gpu;
	const bool l2 = !(gpu->l2_gbps > 0), latency = !(gpu->latency_dram > 0);
	if (r->traffic.printed) add_note(out, "without the time of printf");
	if (gpu->calibrated) add_note(out, "by values measured on this machine");
	if (l2 || latency)
		add_note(out, !latency ? "estimated, values not known: L2 bandwidth"
					  : l2     ? "estimated, values not known: L2 bandwidth, DRAM latency"
							   : "estimated, values not known: DRAM latency");
}

/* What L2 alone takes is no more than what it has to deliver where the blocks of an SM share L1. */
static void share_l1(const Roofline *r, const ReplayResult *result, Prediction *out) {
	const double loads = l2_loads(r), stores = l2_stores(r), shared = result->l2_loads * (double)r->base.launch.ran;
	if (result->blocks && shared < loads) out->limits[LIMIT_L2] *= (shared + stores) / (loads + stores);
}

static double warp_instructions(const Roofline *r) {
	double n = 0;
	for (uint32_t i = 0; i < r->ninstrs; i++) n += (double)r->issued[i];
	return n;
}

/* A block that is several times as long as those in the trace, and at four cycles per instruction of a warp, as a chain
 * of FMAs has, may be what takes the time. */
static bool may_hide(const TraceLoad *load, const Gpu *gpu, uint32_t warps, double cycles) {
	const double issued = load->longest / fmin(gpu->generation->issue, warps);
	return load->longest > 2 * load->longest_recorded && 4 * issued > cycles / 2;
}

static double spread(const Roofline *r) {
	const double squares = (double)r->squares[1] * 0x1p64 + (double)r->squares[0];
	const double n = (double)r->base.launch.ran, mean = n > 0 ? warp_instructions(r) / n : 0;
	return mean > 0 ? sqrt(fmax(0, squares / n / (mean * mean) - 1)) : 0;
}

static void replay_all(const Roofline *r, const Dram *dram, const Occupancy *occupancy, double wait, Prediction *out) {
	const TraceLoad load = {.read_bytes = dram->read,
							.written_bytes = dram->written,
							.dram_longer = dram->longer,
							.read_sectors = (double)r->traffic.l2_sectors,
							.written_sectors = (double)(r->traffic.store_sectors + r->traffic.atomic_sectors),
							.atomics_ns = out->limits[LIMIT_ATOMICS] * 1e6,
							.atomics = (double)r->contention.operations,
							.instructions = warp_instructions(r),
							.longest = r->dealt ? 0 : (double)r->longest,
							.longest_recorded = (double)r->longest_recorded,
							.wait = wait / warp_instructions(r),
							.spread = r->dealt ? 0 : spread(r),
							.recorded = (double)r->traffic.recorded_issued / fmax(1, (double)r->traffic.recorded)};
	double alone = 0;
	ReplayResult result = trace_replay(r->trace, r->base.gpu, occupancy, &r->base.launch, &load, &out->unequal, &alone);
	/* The mean block's latency says nothing about a launch that ends with a longer one. */
	out->limits[LIMIT_LATENCY] = fmax(out->limits[LIMIT_LATENCY], alone / gpu_ghz(r->base.gpu) * 1e-6);
	if (result.blocks && result.issued)
		out->replayed_ms = result.cycles / gpu_ghz(r->base.gpu) * 1e-6 + r->base.gpu->launch_us * 1e-3;
	out->unseen = may_hide(&load, r->base.gpu, r->base.launch.warps, result.cycles);
	for (int i = 0; i < STALL_COUNT && result.issued; i++) out->stalls[i] = result.totals[i] / (double)result.issued;
	trace_lines(r->trace, &result, out);
	share_l1(r, &result, out);
	out->timeline = result.events;
	out->ntimeline = result.nevents;
	out->timeline_block = trace_followed(r->trace);
	free(result.stalls);
}

void roofline_predict(const Collector *self, const Occupancy *occupancy, Prediction *out) {
	const Roofline *r = (const Roofline *)self;
	const Gpu *gpu = self->gpu;
	Work work = work_of(r);
	const bool whole = self->launch.ran == self->launch.blocks; /* of a sample no round is the last */
	double blocks = (double)self->launch.ran, rounds = whole ? ceil(blocks / gpu->sms) : blocks / gpu->sms;
	double filled = ceil((double)self->launch.blocks / gpu->sms);
	double resident = filled < occupancy->blocks_per_sm ? filled : occupancy->blocks_per_sm;
	double warps = blocks * self->launch.warps;

	Resources memory = {.len = 0}, sm = {.len = 0};
	const Dram dram = dram_of(r);
	memory_resources(r, &dram, &memory);
	sm_resources(r, &work, rounds / blocks / gpu_ghz(gpu), &sm);
	double start = BLOCK_START_NS + WARP_WAIT_NS * self->launch.warps;
	double wait = wait_cycles(r, &dram, &work, warps) / gpu_ghz(gpu);
	double latency = (start + wait) * rounds / resident;
	const Resource *a = largest(&memory), *b = largest(&sm), *bound = a->ns > b->ns ? a : b;
	const Resource dispatch = {.ns = (double)self->launch.ran * DISPATCH_CLOCKS / gpu_ghz(gpu),
							   .name = "block launch overhead"};
	if (dispatch.ns > bound->ns) bound = &dispatch;

	if (latency > bound->ns)
		name_latency((uint32_t)(resident * self->launch.warps), out);
	else
		snprintf(out->bound, sizeof out->bound, "%s", bound->name);
	out->counted_ms = fmax(bound->ns, latency) * 1e-6 + gpu->launch_us * 1e-3;
	keep_limits(&memory, out);
	keep_limits(&sm, out);
	out->limits[LIMIT_LATENCY] = latency * 1e-6;
	out->limits[LIMIT_BLOCKS] = dispatch.ns * 1e-6;
	out->dram_bytes = dram_bytes(&dram);
	out->bulk = r->traffic.bulk_shared_bytes > 0;
	out->most_updates = (double)r->contention.most;
	add_notes(r, out);
	if (r->trace) replay_all(r, &dram, occupancy, wait * gpu_ghz(gpu) * warps, out);
}
