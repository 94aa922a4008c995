/* The Counters observer: instruction counts from the executor's totals, memory costs from gpu/ for every access. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "emu/count/counters.h"
#include "emu/count/fused.h"
#include "ptx/places.h"

const CountField count_fields[] = {
#define COUNT(name) {#name, offsetof(Counts, name)},
#include "emu/count/counts.def"
#undef COUNT
};
const size_t ncount_fields = sizeof count_fields / sizeof *count_fields;

void counts_add(Counts *to, const Counts *more) {
	for (size_t i = 0; i < ncount_fields; i++)
		*(uint64_t *)((char *)to + count_fields[i].offset) +=
			*(const uint64_t *)((const char *)more + count_fields[i].offset);
}

/* a costs more than b, each against its ideal; of equals the earlier block and warp, so that the answer does not depend
 * on which host thread came first. */
static bool worse(const WorstAccess *a, const WorstAccess *b) {
	if (!a->valid || !b->valid) return a->valid;
	uint64_t x = (uint64_t)a->cost * b->ideal, y = (uint64_t)b->cost * a->ideal;
	if (x != y) return x > y;
	if (a->cost != b->cost) return a->cost > b->cost;
	return a->block != b->block ? a->block < b->block : a->warp < b->warp;
}

enum { MOST_BLOCKS = 1 << 17 };

static void clear(Counters *c) {
	patterns_reset(&c->patterns, NULL, 0);
	arena_free(c->arena);
}

static bool is_fp64(const PtxInstr *in) {
	const PtxCost cost = ptx_op_cost(in->op);
	if (cost == COST_NONE || cost == COST_MEMORY || cost == COST_CONTROL || cost == COST_ATOMIC) return false;
	for (int i = 0; i < in->ntypes; i++)
		if (in->types[i] == T_F64) return in->op != OP_MOV && in->op != OP_SELP;
	return false;
}

/* Operations on an mbarrier are no atomics: most of them test whether a phase is over. */
enum { ATOMIC_PLAIN, ATOMIC_LOOP, ATOMIC_MBARRIER };

static uint8_t atomic_kind(const PtxInstr *in) {
	if (in->op == OP_MBARRIER) return ATOMIC_MBARRIER;
	return ptx_atomic_loops(in) ? ATOMIC_LOOP : ATOMIC_PLAIN;
}

static void reset(Counters *c, const LaunchInfo *info) {
	clear(c);
	c->arena = arena_new();
	c->adjacent = NULL;
	c->info = info;
	c->ninstrs = info->ninstrs;
	patterns_reset(&c->patterns, c->gpu, c->ninstrs);
	c->nfunctions = info->nfunctions;
	c->functions = arena_array(c->arena, c->nfunctions + 1, sizeof *c->functions);
	c->first = arena_array(c->arena, c->nfunctions + 1, sizeof *c->first);
	memcpy(c->functions, info->functions, c->nfunctions * sizeof *c->functions);
	memcpy(c->first, info->first, c->nfunctions * sizeof *c->first);
	c->by_instr = arena_array(c->arena, c->ninstrs + 1, sizeof *c->by_instr);
	const uint64_t blocks = launch_blocks(&info->config);
	c->nblocks = c->follows_blocks && blocks <= MOST_BLOCKS ? (size_t)blocks : 0;
	c->by_block = arena_array(c->arena, c->nblocks + 1, sizeof *c->by_block);
	c->worst = arena_array(c->arena, c->ninstrs + 1, sizeof *c->worst);
	c->fp64 = arena_array(c->arena, c->ninstrs + 1, sizeof *c->fp64);
	c->special = arena_array(c->arena, c->ninstrs + 1, sizeof *c->special);
	c->atomics = arena_array(c->arena, c->ninstrs + 1, sizeof *c->atomics);
	for (uint32_t f = 0; f < c->nfunctions; f++)
		for (uint32_t i = 0; c->functions[f]->instrs && i < c->functions[f]->ninstrs; i++) {
			const PtxInstr *in = &c->functions[f]->instrs[i];
			c->fp64[c->first[f] + i] = is_fp64(in);
			c->special[c->first[f] + i] = ptx_op_cost(in->op) == COST_SFU;
			c->atomics[c->first[f] + i] = atomic_kind(in);
		}
	if (!c->sass || !c->nfunctions) return;
	c->adjacent = arena_array(c->arena, c->ninstrs + 1, sizeof *c->adjacent);
	fused_accesses(c->functions[0], c->sass, c->adjacent + c->first[0]);
}

static Observer *on_fork(Observer *self) {
	const Counters *c = (const Counters *)self;
	Counters *fork = counters_new(c->gpu);
	fork->follows_blocks = c->follows_blocks;
	fork->sass = c->sass;
	if (c->info) reset(fork, c->info);
	return &fork->base;
}

static void on_join(Observer *self, Observer *other) {
	Counters *c = (Counters *)self, *fork = (Counters *)other;
	for (uint32_t i = 0; i < c->ninstrs && i < fork->ninstrs; i++) {
		counts_add(&c->by_instr[i], &fork->by_instr[i]);
		if (worse(&fork->worst[i], &c->worst[i])) c->worst[i] = fork->worst[i];
	}
	for (size_t i = 0; i < c->nblocks && i < fork->nblocks; i++) counts_add(&c->by_block[i], &fork->by_block[i]);
	counters_free(fork);
}

static void on_launch_begin(Observer *self, const LaunchInfo *info) {
	reset((Counters *)self, info);
}

/* Scales the counts of a sample of the blocks to the whole grid. */
static void scale_up(Counters *c, double by) {
	for (uint32_t i = 0; i < c->ninstrs; i++)
		for (size_t f = 0; f < ncount_fields; f++) {
			uint64_t *count = (uint64_t *)((char *)&c->by_instr[i] + count_fields[f].offset);
			*count = (uint64_t)((double)*count * by + 0.5);
		}
}

static void on_launch_end(Observer *self, const LaunchOutcome *outcome) {
	(void)outcome;
	Counters *c = (Counters *)self;
	const LaunchConfig *config = c->info ? &c->info->config : NULL;
	if (config && launch_blocks_run(config) < launch_blocks(config))
		scale_up(c, (double)launch_blocks(config) / (double)launch_blocks_run(config));
	c->info = NULL;
}

static uint32_t lanes_of(uint32_t mask) {
	return mask == ~0u ? 32 : (uint32_t)__builtin_popcount(mask);
}

static void keep_worst(Counters *c, const Access *a, uint32_t cost, uint32_t ideal) {
	WorstAccess *w = &c->worst[a->instr];
	/* Most accesses are no worse than the one kept: check that before copying. */
	if (w->valid) {
		const uint64_t x = (uint64_t)cost * w->ideal, y = (uint64_t)w->cost * (ideal ? ideal : 1);
		if (x < y ||
			(x == y && cost == w->cost && (a->block > w->block || (a->block == w->block && a->warp >= w->warp))))
			return;
	}
	WorstAccess now = {.valid = true,
					   .kind = a->kind,
					   .space = a->space,
					   .width = a->width,
					   .mask = a->mask,
					   .block = a->block,
					   .warp = a->warp,
					   .cost = cost,
					   .ideal = ideal ? ideal : 1};
	if (!worse(&now, w)) return;
	*w = now;
	memcpy(w->addr, a->addr, sizeof w->addr);
}

enum { LONGEST_SEGMENT = 128 }; /* bytes, on cc 1.x */

/* The fewest transactions for as many bytes, in the unit that they are counted in. */
static uint32_t ideal_transactions(const Gpu *gpu, const GlobalCost *cost, bool store, uint32_t bytes) {
	const bool units = gpu->generation->coalescing == COALESCE_UNITS;
	const uint32_t unit = units ? gpu_global_unit(gpu, store) : LONGEST_SEGMENT, fewest = (bytes + unit - 1) / unit;
	return fewest > cost->requests ? fewest : cost->requests;
}

static GlobalCost global_cost(const Gpu *gpu, const Access *a, bool store) {
	if (!a->units || gpu->generation->coalescing != COALESCE_UNITS)
		return gpu_global_cost(gpu, a->addr, a->mask, a->width, store, NULL);
	return gpu_global_units(gpu, a->addr, a->mask, a->width, store, a->units)->cost;
}

static void work_out(const Counters *c, const Access *a, AccessPattern *p) {
	const bool store = a->kind == ACCESS_STORE;
	if (a->space == SPACE_SHARED) {
		const SharedCost cost = gpu_shared_cost(c->gpu, a->addr, a->mask, a->width, store);
		p->requests = cost.requests;
		p->cost = cost.wavefronts;
		p->ideal = cost.ideal;
	} else {
		const GlobalCost cost = global_cost(c->gpu, a, store);
		p->requests = cost.requests;
		p->cost = cost.transactions;
		p->ideal = ideal_transactions(c->gpu, &cost, store, a->width * lanes_of(a->mask));
	}
}

static const AccessPattern *cost_of(Counters *c, const Access *a) {
	const PatternKey key = access_key(a);
	const uint32_t period = a->space == SPACE_SHARED ? c->patterns.shared : c->patterns.global;
	AccessPattern *p = pattern_find(&c->patterns, &key, period);
	if (p) return p;
	p = pattern_keep(&c->patterns, &key, period);
	work_out(c, a, p);
	return p;
}

/* Adds to the count of loads or of stores. */
#define COUNT(n, space, what, a, by)                                                                                   \
	*((a)->kind == ACCESS_STORE ? &(n)->space##_store_##what : &(n)->space##_load_##what) += (by)

static void count_global(Counters *c, Counts *n, const Access *a) {
	const AccessPattern *p = cost_of(c, a);
	COUNT(n, global, requests, a, p->requests);
	COUNT(n, global, sectors, a, p->cost);
	COUNT(n, global, bytes, a, a->width * lanes_of(a->mask));
	keep_worst(c, a, p->cost, p->ideal);
}

static void count_shared(Counters *c, Counts *n, const Access *a) {
	const AccessPattern *p = cost_of(c, a);
	COUNT(n, shared, requests, a, p->requests);
	COUNT(n, shared, wavefronts, a, p->cost);
	if (p->cost > p->ideal) n->bank_conflicts += p->cost - p->ideal;
	keep_worst(c, a, p->cost, p->ideal);
}

/* Local memory is laid out so that the same word of 32 lanes occupies 128 consecutive bytes. */
static void count_local(Counters *c, Counts *n, const Access *a) {
	uint64_t addr[32];
	uint32_t requests = 0, sectors = 0, ideal = 0;
	const bool store = a->kind == ACCESS_STORE;
	for (uint32_t word = 0; word == 0 || word * 4 < a->width; word++) {
		for (uint32_t l = 0; l < 32; l++) addr[l] = (a->addr[l] / 4 + word) * 128 + l * 4;
		const GlobalCost cost = gpu_global_cost(c->gpu, addr, a->mask, 4, store, NULL);
		if (!word) requests = cost.requests;
		sectors += cost.transactions;
		ideal += ideal_transactions(c->gpu, &cost, store, 4 * lanes_of(a->mask));
	}
	COUNT(n, local, requests, a, requests);
	COUNT(n, local, sectors, a, sectors);
	keep_worst(c, a, sectors, ideal);
}

static void count_constant(Counters *c, Counts *n, const Access *a) {
	const uint32_t wavefronts = gpu_constant_wavefronts(a->addr, a->mask, a->width);
	n->constant_requests++;
	n->constant_wavefronts += wavefronts;
	keep_worst(c, a, wavefronts, 1);
}

static void count_texture(Counts *n, const TextureAccess *a) {
	*(a->surface ? &n->surface_requests : &n->texture_requests) += 1;
	*(a->surface ? &n->surface_sectors : &n->texture_sectors) += a->nsectors;
}

/* All lanes but the first of each address wait. */
static uint32_t conflicts(const Access *a) {
	uint32_t waiting = 0;
	for (uint32_t rest = a->mask; rest;) {
		const uint64_t addr = a->addr[__builtin_ctz(rest)];
		uint32_t same = 0;
		FOR_LANES(l, rest)
			if (a->addr[l] == addr) same |= 1u << l;
		waiting += lanes_of(same) - 1;
		rest &= ~same;
	}
	return waiting;
}

/* The loads of an atomic that is a loop in SASS. Those on words of another block of the cluster, and on less than 32
 * bits, have other loops. */
static void count_loop(const Counters *c, Counts *n, const Access *a) {
	if (a->owner != a->block || (a->width != 4 && a->width != 8)) return;
	const SharedCost cost = gpu_shared_atomic_cost(c->gpu, a->addr, a->mask, a->width);
	n->shared_load_requests += cost.requests;
	n->shared_load_wavefronts += cost.wavefronts;
}

static void count_atomic(const Counters *c, Counts *n, const Access *a) {
	if (c->atomics[a->instr] == ATOMIC_MBARRIER) return;
	n->atomics++;
	n->global_atomics += a->space == SPACE_GLOBAL;
	n->shared_atomics += a->space == SPACE_SHARED;
	n->atomic_conflicts += conflicts(a);
	if (a->space == SPACE_SHARED && c->atomics[a->instr] == ATOMIC_LOOP) count_loop(c, n, a);
}

static inline void count_by_space(Counters *c, Counts *n, const Access *a) {
	switch (a->space) {
	case SPACE_GLOBAL: count_global(c, n, a); break;
	case SPACE_SHARED: count_shared(c, n, a); break;
	case SPACE_LOCAL: count_local(c, n, a); break;
	case SPACE_CONST: count_constant(c, n, a); break;
	default: break;
	}
}

static void count_with_sass(Counters *c, Counts *n, const Access *a) {
	const PtxAdjacent *of = &c->adjacent[a->instr];
	Access wide = *a;
	uint64_t addr[LANES];
	if (of->joined) return;
	if (of->bytes) wide.width = of->bytes;
	if (of->bytes || of->before) wide.units = NULL;
	if (of->before) {
		for (uint32_t l = 0; l < LANES; l++) addr[l] = a->addr[l] - of->before;
		wide.addr = addr;
	}
	count_by_space(c, n, &wide);
}

static inline void count_access(Counters *c, Counts *n, const Access *a) {
	if (a->kind == ACCESS_ATOMIC)
		count_atomic(c, n, a);
	else if (__builtin_expect(c->adjacent != NULL, false))
		count_with_sass(c, n, a);
	else
		count_by_space(c, n, a);
}

/* The counts of a block; NULL: blocks are not followed, or there are too many. */
static Counts *of_block(const Counters *c, uint32_t block) {
	return block < c->nblocks ? &c->by_block[block] : NULL;
}

static void on_access(Observer *self, const Access *a) {
	Counters *c = (Counters *)self;
	Counts *block = of_block(c, a->block);
	count_access(c, &c->by_instr[a->instr], a);
	if (block) count_access(c, block, a);
}

static void count_bulk(Counts *n, const BulkRow *row) {
	const uint64_t sectors = row->bytes ? (row->addr + row->bytes - 1) / 32 - row->addr / 32 + 1 : 0;
	*(row->kind == ACCESS_LOAD ? &n->bulk_load_sectors : &n->bulk_store_sectors) += sectors;
}

static void on_bulk(Observer *self, const BulkRow *row) {
	const Counters *c = (const Counters *)self;
	Counts *block = of_block(c, row->block);
	count_bulk(&c->by_instr[row->instr], row);
	if (block) count_bulk(block, row);
}

static void count_printf(Counts *n, const PrintfCost *cost) {
	n->global_load_requests += cost->load_requests;
	n->global_load_sectors += cost->load_sectors;
	n->global_store_requests += cost->store_requests;
	n->global_store_sectors += cost->store_sectors;
	n->printf_load_requests += cost->load_requests;
	n->printf_load_sectors += cost->load_sectors;
	n->printf_store_requests += cost->store_requests;
	n->printf_store_sectors += cost->store_sectors;
}

static void on_printf(Observer *self, const PrintfTraffic *p) {
	const Counters *c = (const Counters *)self;
	Counts *block = of_block(c, p->block);
	count_printf(&c->by_instr[p->instr], &p->cost);
	if (block) count_printf(block, &p->cost);
}

static void on_texture(Observer *self, const TextureAccess *a) {
	const Counters *c = (const Counters *)self;
	Counts *block = of_block(c, a->block);
	count_texture(&c->by_instr[a->instr], a);
	if (block) count_texture(block, a);
}

static inline void count_branch(Counts *n, const Branch *b) {
	n->branches++;
	n->divergent_branches += b->taken != 0 && b->taken != b->active;
}

static void on_branch(Observer *self, const Branch *b) {
	const Counters *c = (const Counters *)self;
	Counts *block = of_block(c, b->block);
	count_branch(&c->by_instr[b->instr], b);
	if (block) count_branch(block, b);
}

static void on_barrier(Observer *self, const Barrier *b) {
	const Counters *c = (const Counters *)self;
	Counts *block = of_block(c, b->block);
	c->by_instr[b->instr].barriers += !b->warp_only;
	if (block) block->barriers += !b->warp_only;
}

static void count_instructions(const Counters *c, Counts *n, uint32_t instr, uint32_t warps) {
	n->warp_instructions += warps;
	if (c->fp64[instr]) n->fp64_instructions += warps;
	if (c->special[instr]) n->special_instructions += warps;
}

static void on_block_end(Observer *self, const BlockCounts *b) {
	const Counters *c = (const Counters *)self;
	Counts *block = of_block(c, b->block);
	for (uint32_t i = 0; i < c->ninstrs; i++) {
		count_instructions(c, &c->by_instr[i], i, b->warps[i]);
		c->by_instr[i].thread_instructions += b->threads[i];
		if (block) count_instructions(c, block, i, b->warps[i]);
	}
}

static const ObserverOps ops = {.fork = on_fork,
								.join = on_join,
								.launch_begin = on_launch_begin,
								.access = on_access,
								.wants_shapes = true,
								.bulk = on_bulk,
								.texture = on_texture,
								.printf_traffic = on_printf,
								.branch = on_branch,
								.barrier = on_barrier,
								.block_end = on_block_end,
								.launch_end = on_launch_end};

void counters_follow_blocks(Counters *c) {
	c->follows_blocks = true;
}

Counters *counters_new(const Gpu *gpu) {
	Counters *c = xcalloc(1, sizeof *c);
	c->base.ops = &ops;
	c->gpu = gpu;
	return c;
}

void counters_by_sass(Counters *c, const SassAccesses *sass) {
	c->sass = sass;
}

void counters_free(Counters *c) {
	if (!c) return;
	clear(c);
	free(c);
}

Counts counters_total(const Counters *c) {
	Counts total = {0};
	for (uint32_t i = 0; i < c->ninstrs; i++) counts_add(&total, &c->by_instr[i]);
	return total;
}

Counts counters_busiest(const Counters *c) {
	Counts most = {0};
	for (size_t b = 0; b < c->nblocks; b++)
		for (size_t f = 0; f < ncount_fields; f++) {
			uint64_t *to = (uint64_t *)((char *)&most + count_fields[f].offset);
			const uint64_t count = *(const uint64_t *)((const char *)&c->by_block[b] + count_fields[f].offset);
			if (count > *to) *to = count;
		}
	return most;
}

/* --- by line ------------------------------------------------------------------------------------------------------ */

static int by_place(const void *a, const void *b) {
	const LineCounts *x = a, *y = b;
	int files = strcmp(x->file, y->file);
	return files ? files : x->line < y->line ? -1 : x->line > y->line;
}

size_t lines_merge(LineCounts *lines, size_t n) {
	size_t kept = 0;
	if (n) qsort(lines, n, sizeof *lines, by_place);
	for (size_t i = 0; i < n; i++) {
		LineCounts *last = kept ? &lines[kept - 1] : NULL;
		if (last && by_place(last, &lines[i]) == 0) {
			counts_add(&last->counts, &lines[i].counts);
			if (worse(&lines[i].worst, &last->worst)) last->worst = lines[i].worst;
		} else
			lines[kept++] = lines[i];
	}
	return kept;
}

LineCounts *counters_by_line(const Counters *c, const PtxModule *module, size_t *nlines) {
	LineCounts *lines = xcalloc(c->ninstrs + 1, sizeof *lines);
	size_t n = 0;
	for (uint32_t f = 0; f < c->nfunctions; f++) {
		const PtxFunction *fn = c->functions[f];
		for (uint32_t i = 0; i < fn->ninstrs; i++) {
			const PtxInstr *in = &fn->instrs[i];
			const uint32_t at = c->first[f] + i;
			if (at >= c->ninstrs || !in->file) continue;
			const Place place = place_of(module, fn, in);
			if (!*place.file) continue;
			lines[n++] =
				(LineCounts){.file = place.file, .line = place.line, .counts = c->by_instr[at], .worst = c->worst[at]};
		}
	}
	*nlines = lines_merge(lines, n);
	return lines;
}
