/* What a warp's access to global memory becomes, by compute capability (CUDA programming guide, "global memory").
 *
 *   1.0, 1.1 half-warps; words in lane order inside one aligned segment are one transfer, else each lane has a transfer
 *   1.2, 1.3 half-warps; distinct segments, each shrunk to the part that is used 2.x loads: 128 B lines of L1; stores
 *   go through to L2: 32 B sectors 3.0-5.x 32 B sectors of L2, wide words in halves and quarters of a warp >= 6.0
 *   distinct 32 B sectors of the whole warp
 *
 * This runs once for each pattern of addresses that a memory instruction has (pattern.h), which may be once for each
 * access: branches that follow no pattern are avoided. */
#include "gpu/gpu.h"
#include "gpu/pattern.h"

typedef struct {
	uint64_t *unit; /* [2 * LANES] of 1 << shift bytes */
	uint32_t count;
} Units;

/* *addr becomes the addresses of mask's lanes; returns how many. */
static uint32_t active_lanes(const uint64_t **addr, uint32_t mask, uint32_t lanes, uint64_t active[LANES]) {
	uint32_t n = 0;
	if (mask == UINT32_MAX >> (LANES - lanes)) return lanes;
	FOR_LANES(l, mask) active[n++] = (*addr)[l];
	*addr = active;
	return n;
}

/* The lanes' units, but for neighbors that are equal. Returns whether they ascend, so that all of them are distinct. */
static bool list_units(const uint64_t *at, uint32_t lanes, int shift, Units *out) {
	uint64_t before = at[0] >> shift;
	uint32_t n = 1, descents = 0;
	out->unit[0] = before;
	for (uint32_t l = 1; l < lanes; l++) {
		const uint64_t unit = at[l] >> shift;
		out->unit[n] = unit;
		n += unit != before;
		descents += unit < before;
		before = unit;
	}
	out->count = n;
	return !descents;
}

/* The same where words straddle two units. */
static bool list_straddling(const uint64_t *at, uint32_t lanes, uint32_t width, int shift, Units *out) {
	uint64_t before = (at[0] >> shift) - 1;
	uint32_t n = 0, descents = 0;
	for (uint32_t l = 0; l < lanes; l++)
		for (uint64_t unit = at[l] >> shift; unit <= (at[l] + width - 1) >> shift; unit++) {
			out->unit[n] = unit;
			n += unit != before;
			descents += unit < before;
			before = unit;
		}
	out->count = n;
	return !descents;
}

/* Keeps the first of equal units, without comparing each with each: a place of the table is the first unit's that
 * belongs there; those that differ from it wait for the next pass. */
static void keep_distinct(Units *units) {
	enum { BITS = 8 };
	uint32_t place[2 * LANES], waiting[2 * LANES], owner[1 << BITS], n = units->count;
	uint64_t first = 0;
	for (uint32_t i = 0; i < n; i++) {
		place[i] = (uint32_t)(units->unit[i] * UINT64_C(0x9E3779B97F4A7C15) >> (64 - BITS));
		waiting[i] = i;
	}
	while (n) {
		uint32_t others = 0;
		for (uint32_t k = n; k-- > 0;) owner[place[waiting[k]]] = waiting[k];
		for (uint32_t k = 0; k < n; k++) {
			const uint32_t i = waiting[k], of = owner[place[i]];
			first |= UINT64_C(1) << of;
			waiting[others] = i;
			others += units->unit[i] != units->unit[of];
		}
		n = others;
	}
	units->count = 0;
	for (; first; first &= first - 1) units->unit[units->count++] = units->unit[__builtin_ctzll(first)];
}

/* The distinct units that mask's lanes touch, in the order in which they come first. */
static void distinct_units(const uint64_t *addr, uint32_t mask, uint32_t width, int shift, Units *out) {
	uint64_t active[LANES], straddles = 0;
	uint32_t lanes = LANES;
	if (mask != UINT32_MAX) {
		lanes = 0;
		FOR_LANES(l, mask) active[lanes++] = addr[l];
		addr = active;
	}
	for (uint32_t l = 0; l < lanes; l++) straddles |= (addr[l] ^ (addr[l] + width - 1)) >> shift;
	const bool ascend =
		straddles ? list_straddling(addr, lanes, width, shift, out) : list_units(addr, lanes, shift, out);
	if (!ascend) keep_distinct(out);
}

static void emit(GlobalCost *cost, Segment *segments, uint64_t base, uint32_t bytes) {
	if (segments) segments[cost->transactions] = (Segment){base, bytes};
	cost->transactions++;
	cost->bytes += bytes;
}

/* --- cc 1.0, 1.1 ----------------------------------------------------------------------------------------- */

/* Does every active lane k access word k of one segment aligned to 16 words? Lanes that are off leave holes. */
static bool in_lane_order(const uint64_t *addr, uint32_t mask, uint32_t width) {
	uint32_t first = (uint32_t)__builtin_ctz(mask);
	uint64_t base = addr[first] - first * width;
	if (base % (16 * width)) return false;
	for (; mask; mask &= mask - 1) {
		uint32_t lane = (uint32_t)__builtin_ctz(mask);
		if (addr[lane] != base + lane * width) return false;
	}
	return true;
}

static void strict_half(GlobalCost *cost, Segment *segments, const uint64_t *addr, uint32_t mask, uint32_t width) {
	bool word = width == 4 || width == 8 || width == 16;
	if (word && in_lane_order(addr, mask, width)) {
		uint64_t base = addr[__builtin_ctz(mask)] & ~(uint64_t)(16 * width - 1);
		uint32_t bytes = width == 4 ? 64 : 128;
		emit(cost, segments, base, bytes);
		if (width == 16) emit(cost, segments, base + bytes, bytes);
		return;
	}
	for (; mask; mask &= mask - 1) emit(cost, segments, addr[__builtin_ctz(mask)] & ~(uint64_t)31, 32);
}

/* --- cc 1.2, 1.3 ----------------------------------------------------------------------------------------- */

typedef struct {
	uint64_t segment;
	uint32_t low, high; /* bytes used, inclusive */
} Extent;

static inline uint32_t smaller(uint32_t a, uint32_t b) {
	return a < b ? a : b;
}

static inline uint32_t larger(uint32_t a, uint32_t b) {
	return a > b ? a : b;
}

/* Where no word straddles two segments and these ascend. Else false, and what is in *n and extents means nothing. */
static inline bool list_extents(const uint64_t *at, uint32_t lanes, uint32_t width, int shift, Extent *extents,
								uint32_t *n) {
	const uint64_t within = ((uint64_t)1 << shift) - 1;
	uint64_t before = at[0] >> shift;
	uint32_t last = 0, low = UINT32_MAX, high = 0, others = 0;
	for (uint32_t l = 0; l < lanes; l++) {
		const uint64_t segment = at[l] >> shift;
		const uint32_t first = (uint32_t)(at[l] & within), end = first + width - 1, next = segment != before;
		others |= (segment < before) | end >> shift;
		last += next;
		low = smaller(low | -next, first);
		high = larger(high & (next - 1), end);
		extents[last] = (Extent){segment, low, high};
		before = segment;
	}
	*n = last + 1;
	return !others;
}

static uint32_t search_extents(const uint64_t *addr, uint32_t lanes, uint32_t width, int shift, Extent *extents) {
	const uint64_t within = ((uint64_t)1 << shift) - 1;
	uint32_t n = 0;
	for (uint32_t l = 0; l < lanes; l++) {
		uint64_t at = addr[l], end = at + width - 1;
		while (at <= end) { /* once, unless a word straddles two segments */
			uint64_t segment = at >> shift, stop = (segment << shift) + within;
			uint32_t low = (uint32_t)(at & within), high = (uint32_t)((end < stop ? end : stop) & within), i = n;
			while (i && extents[i - 1].segment != segment) i--;
			if (!i) {
				extents[n++] = (Extent){segment, low, high};
			} else {
				Extent *e = &extents[i - 1];
				if (low < e->low) e->low = low;
				if (high > e->high) e->high = high;
			}
			if (stop >= end) break;
			at = stop + 1;
		}
	}
	return n;
}

/* The hardware serves the lowest lane's segment with all lanes in it, then the next; which segments come out, and how
 * much of each is used, does not depend on that order. */
static inline void segment_lanes(GlobalCost *cost, Segment *segments, const uint64_t *at, uint32_t lanes,
								 uint32_t width, int shift) {
	static const uint8_t used[] = {32, 64, 128, 128}; /* bytes, by the address bits of 32 and 64 that differ */
	Extent extents[LANES];
	uint32_t n, bytes = 0;
	if (!list_extents(at, lanes, width, shift, extents, &n)) n = search_extents(at, lanes, width, shift, extents);
	Segment *to = segments ? segments + cost->transactions : NULL;
	for (uint32_t i = 0; i < n; i++) {
		const Extent *e = &extents[i];
		const uint32_t its = used[(e->low ^ e->high) / SECTOR_BYTES];
		if (to) to[i] = (Segment){(e->segment << shift) + (e->low & -its), its};
		bytes += its;
	}
	cost->transactions += n;
	cost->bytes += bytes;
}

static void segment_half(GlobalCost *cost, Segment *segments, const uint64_t *addr, uint32_t mask, uint32_t width) {
	uint64_t active[LANES];
	const uint32_t lanes = active_lanes(&addr, mask, LANES / 2, active);
	if (width > 2)
		segment_lanes(cost, segments, addr, lanes, width, 7);
	else
		segment_lanes(cost, segments, addr, lanes, width, width == 1 ? 5 : 6);
}

static GlobalCost half_warps(const Gpu *gpu, const uint64_t *addr, uint32_t mask, uint32_t width, Segment *segments) {
	GlobalCost cost = {0};
	for (int half = 0; half < 2; half++) {
		const uint64_t *a = addr + 16 * half;
		uint32_t m = mask >> (16 * half) & 0xffff;
		if (!m) continue;
		cost.requests++;
		if (gpu->generation->coalescing == COALESCE_IN_ORDER)
			strict_half(&cost, segments, a, m, width);
		else
			segment_half(&cost, segments, a, m, width);
	}
	return cost;
}

/* --- cc 2.0 and later ------------------------------------------------------------------------------------ */

uint32_t gpu_global_unit(const Gpu *gpu, bool store) {
	return store ? SECTOR_BYTES : gpu->generation->load_line;
}

static GlobalCost list_all(const Generation *g, const uint64_t *addr, uint32_t mask, uint32_t width, int shift,
						   uint64_t units[MAX_SEGMENTS]) {
	const uint32_t lanes = lanes_within(g->request_bytes, width);
	GlobalCost cost = {0};
	for (uint32_t first = 0; first < LANES; first += lanes) {
		const uint32_t m = lanes == LANES ? mask : mask & ((1u << lanes) - 1) << first;
		if (!m) continue;
		Units group = {.unit = units + cost.transactions};
		distinct_units(addr, m, width, shift, &group);
		cost.requests++;
		cost.transactions += group.count;
	}
	cost.bytes = cost.transactions << shift;
	return cost;
}

const GlobalUnits *gpu_global_units(const Gpu *gpu, const uint64_t addr[LANES], uint32_t mask, uint32_t width,
									bool store, GlobalUnits *known) {
	if (known->rules == gpu->generation && known->store == store) return known;
	known->rules = gpu->generation;
	known->store = store;
	known->cost =
		list_all(gpu->generation, addr, mask, width, __builtin_ctz(gpu_global_unit(gpu, store)), known->units);
	return known;
}

GlobalCost gpu_global_cost(const Gpu *gpu, const uint64_t addr[LANES], uint32_t mask, uint32_t width, bool store,
						   Segment *segments) {
	const uint32_t bytes = gpu_global_unit(gpu, store);
	uint64_t units[MAX_SEGMENTS];
	if (!mask || !width) return (GlobalCost){0};
	if (gpu->generation->coalescing != COALESCE_UNITS) return half_warps(gpu, addr, mask, width, segments);
	const GlobalCost cost = list_all(gpu->generation, addr, mask, width, __builtin_ctz(bytes), units);
	for (uint32_t i = 0; i < cost.transactions && segments; i++) segments[i] = (Segment){units[i] * bytes, bytes};
	return cost;
}

uint32_t gpu_global_period(const Gpu *gpu) {
	const Generation *g = gpu->generation;
	if (g->coalescing == COALESCE_IN_ORDER) return 256; /* 16 words of 16 bytes */
	return g->coalescing == COALESCE_UNITS ? g->load_line : 128;
}
