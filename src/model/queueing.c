/* cc 1.x (G80, GT200): the queueing model: the demands on DRAM partitions and SMs, combined by a closed queueing
 * network.
 *
 *   window of blocks that start together (one per SM)
 *     +-- DRAM partition p: data cycles, pages opened      D_m = the busiest partition's max(data, pages x T_ACT)
 *     +-- SM: issue cycles, extra shared wavefronts        D_s = the mean block's
 *   time of the window: mean value analysis of D_m and D_s, think time DRAM latency, a customer for each four resident
 *   warps
 *
 * Why four warps: warps of a block wait for each other at barriers, so they are less than a customer each; blocks do
 * not, so there is at least one per block. WARPS_A_CUSTOMER is fitted. Data. A partition moves 32 B in two command
 * cycles (two chips of 4 B, burst of four on both clock edges), and does so in DATA_FRACTION of the time; refresh and
 * read/write turnaround take the rest. That is fitted, too. Pages. 4 KB of a partition are one DRAM page; opening
 * another takes T_ACT of the partition's time when banks overlap. A page still open from the same block's previous
 * request to the partition is not opened again; its loads and its stores have one each, because a block's warps all
 * load before the first of them, 440 cycles later, stores. T_ACT is the third fitted constant;
 * docs/reference/models.md says on which of the lecture's numbers. Events in between are not simulated: that was
 * tried and was less accurate.
 *
 * A last window that does not fill the GPU begins while others run. Its blocks share the memory and the SMs with those
 * of the window before, so that the two are one window of more blocks than SMs. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/code/code.h"
#include "model/error.h"
#include "model/internal.h"

enum {
	MAX_PARTITIONS = 8,
	PAGE_BYTES = 4096, /* of one partition */
	CHUNK_WINDOWS = 256,
	BARRIER_CLOCKS = 60,
	WARPS_A_CUSTOMER = 4,
	LOCAL_WORD = 4
};
#define T_ACT_NS 11.7
#define DATA_FRACTION 0.8

typedef struct {
	uint32_t data[MAX_PARTITIONS]; /* command cycles */
	uint32_t pages[MAX_PARTITIONS];
	uint32_t blocks, spread;  /* spread: command cycles of local memory, which go to all partitions alike */
	double issue, wavefronts; /* cycles, over all its blocks: instructions; extra shared wavefronts */
} Window;

/* Which partition has an address, and which of its pages. A division takes long, and most boards have eight
 * partitions. */
typedef struct {
	uint32_t stripe, partitions, rows; /* bytes of a stripe; stripes of a row; rows of a page */
	bool powers;                       /* of two, all three; then so far an address is shifted: */
	uint32_t stripe_shift, page_shift;
} Interleaving;

static Interleaving interleaving_of(const Gpu *gpu) {
	const uint32_t stripe = gpu->partition_bytes, partitions = gpu->partitions, rows = PAGE_BYTES / stripe;
	const uint32_t stripe_shift = (uint32_t)__builtin_ctz(stripe);
	return (Interleaving){.stripe = stripe,
						  .partitions = partitions,
						  .rows = rows,
						  .powers = !(stripe & (stripe - 1) || partitions & (partitions - 1) || rows & (rows - 1)),
						  .stripe_shift = stripe_shift,
						  .page_shift = stripe_shift + (uint32_t)(__builtin_ctz(partitions) + __builtin_ctz(rows))};
}

typedef struct {
	uint64_t page; /* of the partition, * MAX_PARTITIONS + partition */
	uint32_t bytes, partition;
} Page;

/* The different pages that an access touches, in the order of its segments. */
typedef struct {
	uint32_t n;
	Page of[MAX_SEGMENTS];
} Pages;

typedef struct {
	Collector base;
	Interleaving interleaving;
	InstrCost *costs; /* [ninstrs] */
	uint32_t ninstrs;
	bool is_fork;
	Window **chunks; /* of CHUNK_WINDOWS each; NULL where nothing happened */
	size_t nchunks;
	uint64_t textures;               /* requests to textures, which the model leaves out */
	uint64_t waits, barriers, warps; /* by warp: chains of loads (in 1/16), arrivals, warps that ran */
	double longest;                  /* issue cycles of the block that has most */
	/* the block whose events come now */
	uint32_t block; /* UINT32_MAX: none yet */
	Window *window;
	AccessPatterns patterns;
	uint64_t open_page[2][MAX_PARTITIONS]; /* + 1, of loads and of stores; 0: none */
} Queueing;

static Window *window_of(Queueing *c, uint64_t block) {
	uint64_t window = block / c->base.gpu->sms, chunk = window / CHUNK_WINDOWS;
	if (chunk >= c->nchunks) return NULL;
	if (!c->chunks[chunk]) c->chunks[chunk] = xcalloc(CHUNK_WINDOWS, sizeof(Window));
	return &c->chunks[chunk][window % CHUNK_WINDOWS];
}

/* NULL: none of its blocks ran. */
static const Window *window_at(const Queueing *c, uint64_t window) {
	const Window *chunk = c->chunks[window / CHUNK_WINDOWS];
	return chunk && chunk[window % CHUNK_WINDOWS].blocks ? &chunk[window % CHUNK_WINDOWS] : NULL;
}

static void windows_free(Queueing *c) {
	for (size_t i = 0; i < c->nchunks; i++) free(c->chunks[i]);
	free(c->chunks);
	c->chunks = NULL;
	c->nchunks = 0;
}

static void windows_reserve(Queueing *c) {
	uint64_t windows = (c->base.launch.blocks + c->base.gpu->sms - 1) / c->base.gpu->sms;
	c->nchunks = (windows + CHUNK_WINDOWS - 1) / CHUNK_WINDOWS;
	c->chunks = xcalloc(c->nchunks + 1, sizeof *c->chunks);
}

/* --- observing --------------------------------------------------------------------------------------------------- */

static void on_launch_begin(Observer *self, const LaunchInfo *info) {
	Queueing *c = (Queueing *)self;
	windows_free(c);
	free(c->costs);
	launch_seen(&c->base.launch, c->base.gpu, info);
	c->costs = code_costs(c->base.gpu, info);
	c->ninstrs = info->ninstrs;
	patterns_reset(&c->patterns, c->base.gpu, c->ninstrs);
	c->textures = c->waits = c->barriers = c->warps = 0;
	c->longest = 0;
	c->block = UINT32_MAX;
	windows_reserve(c);
}

static const ObserverOps queueing_ops;

/* A fork shares the costs, which are constant while the launch runs. */
static Observer *on_fork(Observer *self) {
	Queueing *c = (Queueing *)self, *fork = xcalloc(1, sizeof *fork);
	fork->base = c->base;
	fork->interleaving = c->interleaving;
	fork->costs = c->costs;
	fork->ninstrs = c->ninstrs;
	fork->is_fork = true;
	fork->block = UINT32_MAX;
	patterns_reset(&fork->patterns, c->base.gpu, c->ninstrs);
	windows_reserve(fork);
	return &fork->base.base;
}

static void add_window(Window *to, const Window *from) {
	for (int p = 0; p < MAX_PARTITIONS; p++) {
		to->data[p] += from->data[p];
		to->pages[p] += from->pages[p];
	}
	to->blocks += from->blocks;
	to->spread += from->spread;
	to->issue += from->issue;
	to->wavefronts += from->wavefronts;
}

static void on_join(Observer *self, Observer *forked) {
	Queueing *c = (Queueing *)self, *fork = (Queueing *)forked;
	for (size_t i = 0; i < fork->nchunks && i < c->nchunks; i++) {
		if (!fork->chunks[i]) continue;
		if (!c->chunks[i]) {
			c->chunks[i] = fork->chunks[i];
			fork->chunks[i] = NULL;
			continue;
		}
		for (int w = 0; w < CHUNK_WINDOWS; w++) add_window(&c->chunks[i][w], &fork->chunks[i][w]);
	}
	c->textures += fork->textures;
	c->waits += fork->waits;
	c->barriers += fork->barriers;
	c->warps += fork->warps;
	c->longest = fmax(c->longest, fork->longest);
	bus_add(&c->base.launch.bus, &fork->base.launch.bus);
	windows_free(fork);
	patterns_reset(&fork->patterns, NULL, 0);
	free(fork);
}

/* A block that runs for long takes turns with others, which may be in other windows. */
static void turn_to(Queueing *c, uint32_t block) {
	if (c->block == block) return;
	c->block = block;
	c->window = window_of(c, block);
	memset(c->open_page, 0, sizeof c->open_page);
}

/* Returns the page, and which partition has it. */
static inline uint64_t page_of(const Interleaving *in, uint64_t address, uint32_t *partition) {
	const uint64_t stripe = in->powers ? address >> in->stripe_shift : address / in->stripe;
	*partition = (uint32_t)(in->powers ? stripe & (in->partitions - 1) : stripe % in->partitions);
	const uint64_t of_partition = in->powers ? address >> in->page_shift : stripe / in->partitions / in->rows;
	return of_partition * MAX_PARTITIONS + *partition;
}

static void find_pages(Interleaving in, const AccessPattern *p, uint64_t origin, Pages *out) {
	uint64_t before = 0;
	uint32_t last[MAX_PARTITIONS] = {0}; /* page of a partition, its index + 1 */
	uint32_t found = 0;
	const uint32_t n = p->cost;
	bool ascending = true;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t partition;
		const uint64_t base = origin + p->segments[i].base, page = page_of(&in, base, &partition);
		ascending &= base >= before;
		before = base;
		uint32_t k = last[partition];
		if (!k || out->of[k - 1].page != page) {
			k = ascending ? 0 : found; /* ascending addresses never come back to a page */
			while (k && out->of[k - 1].page != page) k--;
			if (!k) out->of[found] = (Page){page, 0, partition}, k = ++found;
			last[partition] = k;
		}
		out->of[k - 1].bytes += p->segments[i].bytes;
	}
	out->n = found;
}

/* The pages one instruction touches are opened once each, whatever the order of its segments: the memory controller
 * reorders that much. */
static void count_segments(Queueing *c, const AccessPattern *p, uint64_t origin, bool store, uint32_t cycles_per_32) {
	uint64_t *open_page = c->open_page[store];
	uint32_t nopened = 0;
	Pages pages;
	const Page *opened[MAX_SEGMENTS];
	find_pages(c->interleaving, p, origin, &pages);
	for (uint32_t i = 0; i < pages.n; i++) {
		const Page *page = &pages.of[i];
		c->window->data[page->partition] += page->bytes / 32 * cycles_per_32;
		if (open_page[page->partition] != page->page + 1) opened[nopened++] = page;
	}
	/* Only now: pages this instruction opened first may be met again among its own segments. */
	for (uint32_t k = 0; k < nopened; k++) {
		open_page[opened[k]->partition] = opened[k]->page + 1;
		c->window->pages[opened[k]->partition]++;
	}
}

static void on_global(Queueing *c, const Access *a) {
	const PatternKey key = access_key(a);
	uint64_t origin;
	const AccessPattern *p = pattern_segments(&c->patterns, &key, a->kind == ACCESS_STORE, &origin);
	if (bus_takes(a)) {
		bus_count(&c->base.launch.bus, a->kind, p->segments, p->cost);
		return;
	}
	origin += placement_shift(&c->base.launch.placement, a->addr[first_lane(a->mask)]);
	/* An atomic reads and writes. */
	count_segments(c, p, origin, a->kind != ACCESS_LOAD, a->kind == ACCESS_ATOMIC ? 4 : 2);
}

/* The threads' words of local memory are contiguous, so that a warp moves them as a whole. */
static void on_local(Queueing *c, const Access *a) {
	uint32_t words = (a->width + LOCAL_WORD - 1) / LOCAL_WORD;
	c->window->spread += words * (uint32_t)__builtin_popcount(a->mask) * LOCAL_WORD / 32 * 2;
}

/* A wavefront of each half-warp, or the wait for the other half, takes two cycles; an access without conflict fits into
 * its instruction's four. */
static void on_shared(Queueing *c, const Access *a) {
	const PatternKey key = access_key(a);
	const uint32_t wavefronts =
		pattern_shared_cycles(&c->patterns, &key, a->kind == ACCESS_STORE ? SHARED_STORE : SHARED_LOAD);
	if (wavefronts > 2) c->window->wavefronts += 2 * wavefronts - 4;
}

static void on_const(Queueing *c, const Access *a) {
	const uint32_t wavefronts = gpu_constant_wavefronts(a->addr, a->mask, a->width);
	if (wavefronts > 1) c->window->wavefronts += 4 * (wavefronts - 1);
}

static void on_access(Observer *self, const Access *access) {
	Queueing *c = (Queueing *)self;
	turn_to(c, access->block);
	if (!c->window) return;
	switch (access->space) {
	case SPACE_GLOBAL: on_global(c, access); break;
	case SPACE_SHARED: on_shared(c, access); break;
	case SPACE_LOCAL: on_local(c, access); break;
	case SPACE_CONST: on_const(c, access); break;
	default: break;
	}
}

static void on_block_end(Observer *self, const BlockCounts *counts) {
	Queueing *c = (Queueing *)self;
	turn_to(c, counts->block);
	if (!c->window) return;
	double issue = 0, waits = 0;
	for (uint32_t i = 0; i < c->ninstrs; i++) {
		uint32_t warps = counts->warps[i];
		if (!warps) continue;
		issue += (double)warps * (double)c->costs[i].issue;
		waits += (double)warps * (double)c->costs[i].global_waits;
		if (c->costs[i].barrier) c->barriers += warps;
	}
	c->window->issue += issue;
	c->window->blocks++;
	c->longest = fmax(c->longest, issue);
	c->waits += (uint64_t)(16 * waits);
	c->warps += c->base.launch.warps;
}

static void on_launch_end(Observer *self, const LaunchOutcome *outcome) {
	((Queueing *)self)->base.launch.ended_well = outcome->status == LAUNCH_OK;
}

static void on_texture(Observer *self, const TextureAccess *access) {
	(void)access;
	((Queueing *)self)->textures++;
}

static const ObserverOps queueing_ops = {
	.fork = on_fork,
	.join = on_join,
	.launch_begin = on_launch_begin,
	.access = on_access,
	.wants_shapes = true,
	.texture = on_texture,
	.block_end = on_block_end,
	.launch_end = on_launch_end,
};

/* --- predicting -------------------------------------------------------------------------------------------------- */

typedef enum { BOUND_DATA, BOUND_PAGES, BOUND_ISSUE, BOUND_WAVEFRONTS, BOUND_LATENCY, BOUND_COUNT } Bound;

typedef struct {
	double clocks;                       /* of the shader, so far */
	double by_bound[BOUND_COUNT];        /* cycles of the windows that each bounds */
	double camped;                       /* of those where one partition had half as much again to do as the mean */
	double by_partition[MAX_PARTITIONS]; /* of those, by partition */
	double alone[BOUND_COUNT];           /* cycles that each would take if nothing else did */
	double dram_bytes;
} Tally;

typedef struct {
	double clocks;      /* of the shader */
	uint32_t partition; /* the busiest */
	bool pages, camped; /* pages take it longer than data; it has half as much again to do as the mean */
} Demand;

static Demand memory_demand(const Gpu *gpu, const Window *w) {
	Demand d = {.clocks = -1};
	double to_shader = gpu->shader_ghz / gpu->memory_ghz, sum = 0;
	for (uint32_t p = 0; p < gpu->partitions; p++) {
		double data = ((double)w->data[p] + (double)w->spread / gpu->partitions) * to_shader / DATA_FRACTION;
		double open = w->pages[p] * T_ACT_NS * gpu->shader_ghz;
		double demand = data > open ? data : open;
		sum += demand;
		if (demand > d.clocks) d.clocks = demand, d.partition = p, d.pages = open > data;
	}
	d.camped = d.clocks * gpu->partitions > 1.5 * sum;
	return d;
}

/* What the warps of an SM are to the network. */
typedef struct {
	double think;     /* cycles, of one block */
	double customers; /* of a mean SM */
	double slowdown;  /* of issue, on a mean SM */
	double at_least;  /* of issue, on the SM that has the most blocks */
} Warps;

static double interval(const Warps *warps, double memory, double sm, double think) {
	const double demand[] = {memory, sm};
	const uint32_t whole = (uint32_t)warps->customers;
	const double part = warps->customers - whole, at = mva_interval(demand, 2, think, whole);
	return part > 0 ? 1 / ((1 - part) / at + part / mva_interval(demand, 2, think, whole + 1)) : at;
}

/* No SM has more than `most` blocks of w. */
static void add_time(Tally *tally, const Gpu *gpu, const Window *w, uint32_t most, const Warps *warps) {
	Demand memory = memory_demand(gpu, w);
	const double mean = most > 1 ? (double)w->blocks / gpu->sms : 1;
	const double issue = w->issue * warps->slowdown / w->blocks, wavefronts = w->wavefronts / w->blocks;
	const double sm = most * (issue + wavefronts), think = most * warps->think;
	double clocks = interval(warps, memory.clocks, sm * mean / most, think * mean / most);
	const double busiest = most * (w->issue * warps->at_least / w->blocks + wavefronts);
	if (most > mean) clocks = fmax(clocks, interval(warps, 0, busiest, think));
	tally->alone[memory.pages ? BOUND_PAGES : BOUND_DATA] += memory.clocks;
	/* Extra wavefronts occupy the SM as instructions do: what it does most of stands for both. */
	const Bound busy = wavefronts > issue ? BOUND_WAVEFRONTS : BOUND_ISSUE;
	tally->alone[busy] += sm;
	tally->alone[busy == BOUND_ISSUE ? BOUND_WAVEFRONTS : BOUND_ISSUE] += most * fmin(issue, wavefronts);
	tally->alone[BOUND_LATENCY] += think / warps->customers;
	for (uint32_t p = 0; p < gpu->partitions; p++) tally->dram_bytes += w->data[p] / 2.0 * 32;
	tally->dram_bytes += w->spread / 2.0 * 32;
	Bound bound = BOUND_LATENCY;
	if (memory.clocks >= sm && memory.clocks >= think / warps->customers)
		bound = memory.pages ? BOUND_PAGES : BOUND_DATA;
	else if (sm >= think / warps->customers)
		bound = busy;
	tally->clocks += clocks;
	tally->by_bound[bound] += clocks;
	if (bound > BOUND_PAGES || !memory.camped) return;
	tally->camped += clocks;
	tally->by_partition[memory.partition] += clocks;
}

static uint32_t largest(const double *values, uint32_t n) {
	uint32_t best = 0;
	for (uint32_t i = 1; i < n; i++)
		if (values[i] > values[best]) best = i;
	return best;
}

static void name_bound(const Tally *tally, const Gpu *gpu, uint32_t warps, Prediction *out) {
	uint32_t bound = largest(tally->by_bound, BOUND_COUNT), partition = largest(tally->by_partition, gpu->partitions);
	if (!(tally->by_bound[bound] > 0)) bound = BOUND_LATENCY; /* it does nothing at all */
	double memory = tally->by_bound[BOUND_DATA] + tally->by_bound[BOUND_PAGES];
	const char *what = bound == BOUND_PAGES ? limit_name(LIMIT_PAGES) : limit_name(LIMIT_DRAM);
	switch ((Bound)bound) {
	case BOUND_DATA:
	case BOUND_PAGES:
		if (tally->by_partition[partition] > 0.5 * memory)
			snprintf(out->bound, sizeof out->bound, "%s of partition %u", what, partition);
		else if (tally->camped > 0.5 * memory)
			snprintf(out->bound, sizeof out->bound, "%s, one partition at a time", what);
		else
			snprintf(out->bound, sizeof out->bound, "%s", what);
		break;
	case BOUND_ISSUE: snprintf(out->bound, sizeof out->bound, "%s", limit_name(LIMIT_ISSUE)); break;
	case BOUND_WAVEFRONTS: snprintf(out->bound, sizeof out->bound, "%s", limit_name(LIMIT_SHARED)); break;
	default: name_latency(warps, out); break;
	}
}

static uint32_t customers_of(uint32_t blocks, uint32_t warps) {
	uint32_t n = (blocks * warps + WARPS_A_CUSTOMER - 1) / WARPS_A_CUSTOMER;
	return n > blocks ? n : blocks;
}

/* Fewer warps than an instruction's latency is long leave issue slots empty. */
static double slowdown_of(const Queueing *c, double blocks) {
	return fmax(1, c->base.gpu->latency_alu / 4 / (blocks * c->base.launch.warps));
}

/* resident: blocks on the SM that has the most, share: on the mean SM, of those. */
static Warps warps_of(const Queueing *c, uint32_t resident, double share) {
	const Gpu *gpu = c->base.gpu;
	const double ran = c->warps ? (double)c->warps : 1, waits = (double)c->waits / 16 / ran,
				 barriers = (double)c->barriers / ran;
	return (Warps){.think = gpu->latency_dram * waits + BARRIER_CLOCKS * barriers,
				   .customers = share * customers_of(resident, c->base.launch.warps),
				   .slowdown = slowdown_of(c, share * resident),
				   .at_least = slowdown_of(c, resident)};
}

static Tally add_windows(const Queueing *c, const Warps *warps) {
	Tally tally = {0};
	const uint32_t sms = c->base.gpu->sms;
	const uint64_t full = c->base.launch.blocks / sms;
	const Window *last = full && c->base.launch.blocks % sms ? window_at(c, full) : NULL;
	for (uint64_t i = 0; i < full + !last; i++) {
		const Window *w = i < c->nchunks * CHUNK_WINDOWS ? window_at(c, i) : NULL;
		if (!w) continue;
		Window window = *w;
		const bool both = last && i + 1 == full;
		if (both) add_window(&window, last);
		add_time(&tally, c->base.gpu, &window, both ? 2 : 1, warps);
	}
	return tally;
}

/* Shows the partitions of the window that memory takes longest for. */
static void show_partitions(const Queueing *c, Prediction *out) {
	const Gpu *gpu = c->base.gpu;
	const Window *slowest = NULL;
	double most = -1;
	for (size_t i = 0; i < c->nchunks; i++)
		for (int w = 0; c->chunks[i] && w < CHUNK_WINDOWS; w++) {
			const double clocks = c->chunks[i][w].blocks ? memory_demand(gpu, &c->chunks[i][w]).clocks : -1;
			if (clocks > most) most = clocks, slowest = &c->chunks[i][w];
		}
	out->npartitions = slowest ? gpu->partitions : 0;
	for (uint32_t p = 0; p < out->npartitions; p++) {
		out->partition_bytes[p] = (slowest->data[p] + (double)slowest->spread / gpu->partitions) / 2 * 32;
		out->partition_pages[p] = slowest->pages[p];
	}
}

/* Windows hold blocks as if each had its mean. One that is much longer may run on when all others are done: with a
 * warp's latency of 24 cycles per instruction (6 of 4) if nothing hides it. */
static bool may_outlast(const Queueing *c, double clocks) {
	double issue = 0, blocks = 0;
	for (size_t i = 0; i < c->nchunks; i++)
		for (int w = 0; c->chunks[i] && w < CHUNK_WINDOWS; w++)
			issue += (double)c->chunks[i][w].issue, blocks += (double)c->chunks[i][w].blocks;
	return c->longest * blocks > 2 * issue && 6 * c->longest > clocks / 2;
}

static void queueing_predict(const Collector *self, const Occupancy *occupancy, Prediction *out) {
	const Queueing *c = (const Queueing *)self;
	const Gpu *gpu = self->gpu;
	const double there = (double)self->launch.blocks / gpu->sms;
	const uint32_t resident = (uint32_t)fmin(ceil(there), occupancy->blocks_per_sm);
	const Warps warps = warps_of(c, resident, there > 1 && there < resident ? there / resident : 1);
	const Tally tally = add_windows(c, &warps);
	out->counted_ms = fmax(tally.clocks, c->longest) / gpu->shader_ghz * 1e-6 + gpu->launch_us * 1e-3;
	static const Limit limits[BOUND_COUNT] = {[BOUND_DATA] = LIMIT_DRAM,
											  [BOUND_PAGES] = LIMIT_PAGES,
											  [BOUND_ISSUE] = LIMIT_ISSUE,
											  [BOUND_WAVEFRONTS] = LIMIT_SHARED,
											  [BOUND_LATENCY] = LIMIT_LATENCY};
	for (int i = 0; i < BOUND_COUNT; i++) out->limits[limits[i]] = tally.alone[i] / gpu->shader_ghz * 1e-6;
	out->dram_bytes = tally.dram_bytes;
	out->unseen = may_outlast(c, tally.clocks);
	out->error = out->unseen ? 0 : left_out_error(gpu);
	name_bound(&tally, gpu, resident * self->launch.warps, out);
	show_partitions(c, out);
	if (c->textures)
		snprintf(out->note, sizeof out->note, "textures are not part of this model: the kernel may take longer");
}

static void queueing_free(Collector *self) {
	Queueing *c = (Queueing *)self;
	windows_free(c);
	patterns_reset(&c->patterns, NULL, 0);
	if (!c->is_fork) free(c->costs);
	free(c);
}

Collector *queueing_new(const Gpu *gpu) {
	Queueing *c = xcalloc(1, sizeof *c);
	c->interleaving = interleaving_of(gpu);
	c->base.base.ops = &queueing_ops;
	c->base.gpu = gpu;
	c->base.predict = queueing_predict;
	c->base.free = queueing_free;
	return &c->base;
}
