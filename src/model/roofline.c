/* roofline.h: what is observed of a launch. */
#include <stdlib.h>
#include <string.h>

#include "model/code/polling.h"
#include "model/roofline.h"

static void state_alloc(Roofline *r) {
	patterns_reset(&r->patterns, r->base.gpu, r->ninstrs);
	r->issued = xcalloc(r->ninstrs + 1, sizeof *r->issued);
}

static void state_free(Roofline *r) {
	free(r->issued);
	l1_free(&r->l1);
	l2_free(&r->l2);
	footprint_free(&r->footprint);
	contention_free(&r->contention);
	number_map_free(&r->polling);
	patterns_reset(&r->patterns, NULL, 0);
	r->issued = NULL;
}

static void on_launch_begin(Observer *self, const LaunchInfo *info) {
	Roofline *r = (Roofline *)self;
	state_free(r);
	free(r->costs);
	free(r->polls);
	launch_seen(&r->base.launch, r->base.gpu, info);
	r->costs = code_costs(r->base.gpu, info);
	r->polls = poll_loops(info);
	r->ninstrs = info->ninstrs;
	r->traffic = (Traffic){0};
	r->longest = r->longest_recorded = 0;
	r->squares[0] = r->squares[1] = 0;
	r->dealt = r->may_deal = false;
	for (uint32_t i = 0; i < r->ninstrs; i++) r->may_deal |= r->costs[i].others;
	r->line_parts = (uint32_t)(L2_LOAD_PARTS * r->base.gpu->generation->l2_load_line + 0.5);
	r->l1 = l1_new(r->base.gpu->generation, launch_resident(&r->base.launch, r->base.gpu), r->base.launch.shared);
	r->in_l1 = r->l1.sets ? r->base.gpu->generation->l1_loads : L1_LOADS_NONE;
	r->one_memory = r->base.gpu->generation->l1_shared;
	r->l2 = l2_new(r->base.gpu->l2_bytes);
	r->contention.part = launch_together(&r->base.launch, r->base.gpu);
	trace_free(r->trace);
	const uint32_t *follow = r->base.follows ? &r->base.followed : NULL;
	r->trace = r->base.count_only ? NULL : trace_new(r->base.gpu, info, r->costs, follow);
	r->block = UINT32_MAX; /* none yet */
	state_alloc(r);
}

static Observer *on_fork(Observer *self) {
	Roofline *r = (Roofline *)self, *fork = xcalloc(1, sizeof *fork);
	fork->base = r->base;
	fork->costs = r->costs;
	fork->polls = r->polls;
	fork->trace = r->trace;
	fork->ninstrs = r->ninstrs;
	fork->is_fork = true;
	fork->may_deal = r->may_deal;
	fork->line_parts = r->line_parts;
	fork->l1 = l1_like(&r->l1);
	fork->l2 = l2_like(&r->l2);
	fork->in_l1 = r->in_l1;
	fork->one_memory = r->one_memory;
	fork->contention.part = r->contention.part;
	fork->block = UINT32_MAX;
	state_alloc(fork);
	return &fork->base.base;
}

/* Exact: in whichever order, on however many threads. */
static void add_square(Roofline *r, uint64_t low, uint64_t high) {
	r->squares[0] += low;
	r->squares[1] += high + (r->squares[0] < low);
}

static void on_join(Observer *self, Observer *forked) {
	Roofline *r = (Roofline *)self, *fork = (Roofline *)forked;
	uint64_t *to = (uint64_t *)&r->traffic;
	const uint64_t *from = (const uint64_t *)&fork->traffic;
	for (size_t i = 0; i < sizeof r->traffic / sizeof *to; i++) to[i] += from[i];
	for (uint32_t i = 0; i < r->ninstrs; i++) r->issued[i] += fork->issued[i];
	add_square(r, fork->squares[0], fork->squares[1]);
	r->dealt |= fork->dealt;
	if (fork->longest > r->longest) r->longest = fork->longest;
	if (fork->longest_recorded > r->longest_recorded) r->longest_recorded = fork->longest_recorded;
	footprint_join(&r->footprint, &fork->footprint);
	l2_join(&r->l2, &fork->l2);
	contention_merge(&r->contention, &fork->contention);
	bus_add(&r->base.launch.bus, &fork->base.launch.bus);
	state_free(fork);
	free(fork);
}

static bool on_follows(const Observer *self, uint32_t block) {
	const Roofline *r = (const Roofline *)self;
	return r->trace && trace_block(r->trace, block);
}

/* Blocks take turns: those of a cluster, and those that run for long. */
static Recorded *recorded(Roofline *r, uint32_t block) {
	if (r->block == block) return r->recorded;
	r->block = block;
	l1_begin(&r->l1, block);
	l2_begin(&r->l2, block);
	return r->recorded = r->trace ? trace_block(r->trace, block) : NULL;
}

static void on_visit(Observer *self, uint32_t block, uint32_t warp, uint32_t instr) {
	Roofline *r = (Roofline *)self;
	Recorded *own = recorded(r, block);
	if (own) trace_visit(r->trace, own, warp, instr, r->polls ? r->polls[instr] : 0);
}

/* True for a load that L1 may answer: where the GPU caches loads of that space there. */
static bool in_l1(const Roofline *r, const Access *a) {
	if (r->in_l1 == L1_LOADS_NONE || (r->in_l1 == L1_LOADS_READ_ONLY && a->cache != CACHE_NC)) return false;
	return a->cache != CACHE_CG && a->cache != CACHE_CV && a->sem != SEM_VOLATILE;
}

/* Adjacent sectors of a line are a segment. */
static void on_host(Roofline *r, AccessKind kind, uint64_t origin, const TouchedLine *lines, uint32_t entries) {
	Segment segments[2 * MAX_SEGMENTS];
	uint32_t n = 0;
	for (uint32_t i = 0; i < entries; i++) {
		const uint64_t line = origin * SECTOR_BYTES + touched_number(lines[i]) * CACHE_LINE_BYTES;
		for (uint32_t k = 0, before = 0; k < SECTORS_PER_LINE; k++) {
			const uint32_t touched = touched_sectors(lines[i]) >> k & 1;
			if (touched && !before) segments[n++] = (Segment){line + k * SECTOR_BYTES, 0};
			if (touched) segments[n - 1].bytes += SECTOR_BYTES;
			before = touched;
		}
	}
	bus_count(&r->base.launch.bus, kind, segments, n);
}

/* What is asked of L2 or of the host: these entries of a list. */
typedef struct {
	const TouchedLine *lines;
	uint32_t n;
} Asked;

/* How many of a line's four sectors are set: digit i of the number, from the right, counts the ones of i. A table in a
 * register, because x86-64 without POPCNT calls a function. */
static inline uint32_t count_of(uint32_t sectors) {
	return (uint32_t)(UINT64_C(0x4332322132212110) >> 4 * sectors & 7);
}

static void count_load(Roofline *r, Asked asked) {
	uint64_t sectors = 0, lines = 0, last = ~UINT64_C(0);
	for (uint32_t i = 0; i < asked.n; i++) {
		const uint64_t line = asked.lines[i].bits >> SECTORS_PER_LINE;
		sectors += count_of(touched_sectors(asked.lines[i]));
		lines += line != last;
		last = line;
	}
	const uint64_t least = lines * r->line_parts, all = L2_LOAD_PARTS * sectors;
	r->traffic.l2_loads += all > least ? all : least;
	r->traffic.l2_sectors += sectors;
	r->traffic.missed++;
}

/* Its own function: what is known stays in registers. */
static __attribute__((noinline)) const AccessPattern *new_lines(Roofline *r, const Access *a, bool changes,
																bool banks) {
	const PatternKey key = access_key(a);
	return pattern_new_lines(&r->patterns, &key, changes, banks);
}

static inline const AccessPattern *lines_of(Roofline *r, const Access *a, bool changes, bool banks, uint64_t *origin) {
	const PatternKey key = access_key(a);
	const AccessPattern *known = pattern_known_lines(&r->patterns, &key, origin);
	const int64_t shift = (int64_t)placement_shift(&r->base.launch.placement, key.addr[first_lane(key.mask)]);
	*origin += (uint64_t)(shift / SECTOR_BYTES);
	return known ? known : new_lines(r, a, changes, banks);
}

static uint32_t atomic_passes(Roofline *r, const Access *a, uint32_t lanes) {
	return contention_add(&r->contention, a->block, a->addr, lanes, r->costs[a->instr].changes_floats);
}

static void on_change(Roofline *r, const Access *a) {
	const bool atomic = a->kind == ACCESS_ATOMIC;
	uint64_t origin;
	const AccessPattern *p = lines_of(r, a, true, false, &origin);
	if (bus_takes(a)) {
		on_host(r, a->kind, origin, p->touched, p->ntouched);
		return;
	}
	footprint_touch(&r->footprint, origin, p->touched, p->ntouched, true);
	const uint32_t lanes = r->costs[a->instr].aggregated ? a->mask & -a->mask : a->mask,
				   passes = atomic ? atomic_passes(r, a, lanes) : p->lines;
	Recorded *own = recorded(r, a->block);
	if (own) trace_global(own, a, origin, p, passes, false);
	l2_use(&r->l2, a->warp, origin, p->touched, p->ntouched, true);
	r->traffic.l1_wavefronts += passes;
	r->traffic.loads += atomic;
	*(atomic ? &r->traffic.atomic_sectors : &r->traffic.store_sectors) += p->sectors;
	r->traffic.store_lines += atomic ? 0 : p->lines;
	r->traffic.missed += atomic;
	r->traffic.stored_bytes += (uint64_t)__builtin_popcount(lanes) * a->width;
}

static void on_load(Roofline *r, const Access *a) {
	const bool cached = in_l1(r, a);
	Recorded *own = recorded(r, a->block);
	uint64_t origin;
	TouchedLine missed[MAX_SEGMENTS];
	const AccessPattern *p = lines_of(r, a, false, r->one_memory, &origin);
	const Asked asked = cached ? (Asked){missed, l1_misses(&r->l1, origin, p->touched, p->ntouched, missed)}
							   : (Asked){p->touched, p->ntouched};
	if (bus_takes(a)) {
		on_host(r, a->kind, origin, asked.lines, asked.n);
		return;
	}
	const uint32_t passes = r->one_memory ? p->banks : p->lines;
	if (own) trace_global(own, a, origin, p, passes, cached);
	r->traffic.l1_wavefronts += passes;
	r->traffic.loads++;
	if (!asked.n) return; /* what L1 has was touched */
	footprint_touch(&r->footprint, origin, asked.lines, asked.n, false);
	l2_use(&r->l2, a->warp, origin, asked.lines, asked.n, false);
	count_load(r, asked);
}

/* Between L2 and shared memory, past L1 and the units for loads and stores. */
static void on_bulk(Observer *self, const BulkRow *whole) {
	Roofline *r = (Roofline *)self;
	const bool changes = whole->kind != ACCESS_LOAD, atomic = whole->kind == ACCESS_ATOMIC;
	Recorded *own = recorded(r, whole->block);
	r->traffic.bulk_shared_bytes += whole->shared_bytes;
	BulkRow row = *whole;
	row.addr += placement_shift(&r->base.launch.placement, row.addr);
	while (row.bytes) {
		TouchedLine lines[ROW_LINES];
		uint32_t sectors = 0;
		const uint32_t n = footprint_lines(&row, lines);
		for (uint32_t i = 0; i < n; i++) sectors += (uint32_t)__builtin_popcount(touched_sectors(lines[i]));
		footprint_touch(&r->footprint, 0, lines, n, changes);
		l2_use(&r->l2, whole->warp, 0, lines, n, changes);
		if (own) trace_bulk(own, whole, lines, n);
		if (changes) {
			*(atomic ? &r->traffic.atomic_sectors : &r->traffic.store_sectors) += sectors;
			r->traffic.store_lines += atomic ? 0 : n;
		} else {
			r->traffic.l2_loads += (uint64_t)L2_LOAD_PARTS * sectors;
			r->traffic.l2_sectors += sectors;
		}
	}
	if (changes) r->traffic.stored_bytes += whole->bytes;
}

/* One word for the whole warp is an operand or as good as one. */
static uint32_t constant_words(const Access *a) {
	const uint32_t wavefronts = gpu_constant_wavefronts(a->addr, a->mask, a->width);
	return wavefronts > 1 ? wavefronts : 0;
}

/* Sectors of a texture or surface are memory as any other, read through L1; beyond all addresses of buffers. */
static void on_texture(Observer *self, const TextureAccess *a) {
	Roofline *r = (Roofline *)self;
	const uint64_t number = placement_texture(&r->base.launch.placement, a->texture);
	const uint64_t base = UINT64_C(1) << 62 | (number & 0xfffff) << 40;
	Recorded *own = recorded(r, a->block);
	uint32_t misses = 0;
	if (own) trace_texture(own, a, base);
	r->traffic.texels += (uint64_t)__builtin_popcount(a->mask);
	for (uint32_t i = 0; i < a->nsectors; i++) {
		const uint64_t sector = base / SECTOR_BYTES + a->sectors[i];
		const TouchedLine line = touched_sector(sector);
		TouchedLine missed;
		footprint_touch(&r->footprint, 0, &line, 1, a->kind == ACCESS_STORE);
		l2_use(&r->l2, a->warp, 0, &line, 1, a->kind == ACCESS_STORE);
		if (a->kind == ACCESS_STORE)
			r->traffic.store_sectors++, r->traffic.store_lines++;
		else
			misses += r->l1.sets ? l1_misses(&r->l1, 0, &line, 1, &missed) : 1;
	}
	r->traffic.l2_loads += (uint64_t)L2_LOAD_PARTS * misses;
	r->traffic.l2_sectors += misses;
	r->traffic.missed += misses > 0;
	r->traffic.loads += a->kind == ACCESS_LOAD;
	if (a->kind == ACCESS_STORE) r->traffic.stored_bytes += (uint64_t)__builtin_popcount(a->mask) * a->texel_bytes;
}

static SharedUse shared_use(const Access *a, const InstrCost *cost) {
	if (a->kind == ACCESS_ATOMIC) return (SharedUse)cost->shared_use;
	return a->kind == ACCESS_STORE ? SHARED_STORE : SHARED_LOAD;
}

static void on_shared(Roofline *r, const Access *a) {
	const InstrCost *cost = &r->costs[a->instr];
	const SharedUse use = shared_use(a, cost);
	PatternKey key = access_key(a);
	if (cost->joined) return;
	if (cost->wide) key.width = cost->wide;
	key.kind |= (uint32_t)use << 16;
	const uint32_t passes = cost->aggregated ? 1 : pattern_shared_cycles(&r->patterns, &key, use);
	r->traffic.shared_wavefronts += passes;
	Recorded *own = recorded(r, a->block);
	if (own) trace_passes(own, a, passes, use == SHARED_LOOP ? gpu_bank_lanes(a->addr, a->mask, a->width) : 0);
}

static void on_local(Roofline *r, const Access *a) {
	const uint32_t sectors = ((uint32_t)__builtin_popcount(a->mask) * a->width + 31) / 32;
	r->traffic.local_sectors += sectors;
	r->traffic.loads += a->kind == ACCESS_LOAD;
	Recorded *own = recorded(r, a->block);
	if (own) trace_passes(own, a, (sectors + 3) / 4, 0);
}

static void on_constant(Roofline *r, const Access *a) {
	const uint32_t words = constant_words(a);
	r->traffic.constant_words += words;
	/* A word for the whole warp takes what any instruction for memory does. */
	Recorded *own = recorded(r, a->block);
	if (own) trace_passes(own, a, words ? CONSTANT_PARTS * words : 1, 0);
}

static void on_access(Observer *self, const Access *a) {
	Roofline *r = (Roofline *)self;
	r->again = r->polls && poll_again(r->polls, &r->polling, a, r->issued);
	if (r->again) return;
	switch (a->space) {
	case SPACE_GLOBAL: a->kind == ACCESS_LOAD ? on_load(r, a) : on_change(r, a); break;
	case SPACE_SHARED: on_shared(r, a); break;
	case SPACE_LOCAL: /* threads' words interleaved: whole sectors, which mostly stay in L1 */ on_local(r, a); break;
	case SPACE_CONST: on_constant(r, a); break;
	default: break;
	}
}

static void on_async(Observer *self, const AsyncEvent *e) {
	Roofline *r = (Roofline *)self;
	Recorded *own = recorded(r, e->block);
	if (own && !(r->again && e->kind == ASYNC_TEST)) trace_async(r->trace, own, e, r->polls && r->polls[e->instr]);
}

static void on_printf(Observer *self, const PrintfTraffic *printed) {
	(void)printed;
	((Roofline *)self)->traffic.printed++;
}

/* Returns how many instructions there are, but for polling. */
static uint64_t add_issued(Roofline *r, const BlockCounts *counts) {
	uint64_t *issued = r->issued, all = 0;
	for (uint32_t i = 0; i < r->ninstrs; i++) {
		issued[i] += counts->warps[i];
		all += counts->warps[i];
	}
	for (uint32_t i = 0; i < r->ninstrs && r->polls; i++) {
		if (!r->polls[i]) continue;
		issued[i] -= counts->warps[i];
		all -= counts->warps[i];
	}
	return all;
}

static void on_block_end(Observer *self, const BlockCounts *counts) {
	Roofline *r = (Roofline *)self;
	const uint64_t all = add_issued(r, counts);
	for (uint32_t i = 0; i < r->ninstrs && r->may_deal && !r->dealt; i++)
		r->dealt = counts->warps[i] && r->costs[i].others;
	add_square(r, all * all, 0); /* of fewer than 2^32 */
	if (all > r->longest) r->longest = all;
	l2_begin(&r->l2, UINT32_MAX);
	if (!recorded(r, counts->block)) return;
	r->traffic.recorded++;
	r->traffic.recorded_issued += all;
	if (all > r->longest_recorded) r->longest_recorded = all;
}

static void on_launch_end(Observer *self, const LaunchOutcome *outcome) {
	((Roofline *)self)->base.launch.ended_well = outcome->status == LAUNCH_OK;
}

static const ObserverOps roofline_ops = {
	.fork = on_fork,
	.join = on_join,
	.launch_begin = on_launch_begin,
	.follows = on_follows,
	.visit = on_visit,
	.access = on_access,
	.wants_shapes = true,
	.bulk = on_bulk,
	.async = on_async,
	.texture = on_texture,
	.printf_traffic = on_printf,
	.block_end = on_block_end,
	.launch_end = on_launch_end,
};

static void roofline_free(Collector *self) {
	Roofline *r = (Roofline *)self;
	state_free(r);
	if (!r->is_fork) trace_free(r->trace);
	if (!r->is_fork) free(r->costs);
	if (!r->is_fork) free(r->polls);
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
