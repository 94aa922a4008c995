/* What a warp's access to global memory becomes, by compute capability (CUDA programming guide, "global memory").
 *
 *   1.0, 1.1 half-warps; words in lane order inside one aligned segment are one transfer, else each lane has a transfer
 *   1.2, 1.3 half-warps; distinct segments, each shrunk to the part that is used 2.x loads: 128 B lines of L1; stores
 *   go through to L2: 32 B sectors 3.0-5.x 32 B sectors of L2, wide words in halves and quarters of a warp >= 6.0
 *   distinct 32 B sectors of the whole warp
 *
 * This runs once for each pattern of addresses that a memory instruction has (pattern.h). It walks the lanes once and
 * stays linear in them through a small hash set where addresses do not ascend. */
#include "gpu/gpu.h"

typedef struct {
	uint64_t unit[64]; /* distinct, of 1 << shift bytes */
	uint32_t count;
} Units;

/* Open addressing; a slot is taken where its bit is set, so nothing needs clearing but two words. */
typedef struct {
	uint64_t slot[128], taken[2];
} UnitSet;

static bool set_add(UnitSet *set, uint64_t unit) {
	uint32_t i = (uint32_t)((unit * 0x9E3779B97F4A7C15u) >> 57);
	while (set->taken[i >> 6] >> (i & 63) & 1) {
		if (set->slot[i] == unit) return false;
		i = (i + 1) & 127;
	}
	set->taken[i >> 6] |= (uint64_t)1 << (i & 63);
	set->slot[i] = unit;
	return true;
}

static void distinct_any_order(const uint64_t *addr, uint32_t mask, uint32_t width, int shift, Units *out) {
	UnitSet set;
	set.taken[0] = set.taken[1] = 0;
	out->count = 0;
	for (; mask; mask &= mask - 1) {
		uint64_t first = addr[__builtin_ctz(mask)], last = (first + width - 1) >> shift;
		for (uint64_t unit = first >> shift; unit <= last; unit++)
			if (set_add(&set, unit)) out->unit[out->count++] = unit;
	}
}

/* The distinct units that mask's lanes touch. A word may straddle two units. */
static void distinct_units(const uint64_t *addr, uint32_t mask, uint32_t width, int shift, Units *out) {
	uint32_t pending = mask, n = 0;
	uint64_t top = 0; /* one past the highest unit so far: lanes in ascending order need no search */
	for (; pending; pending &= pending - 1) {
		uint64_t first = addr[__builtin_ctz(pending)], unit = first >> shift, last = (first + width - 1) >> shift;
		if (unit + 1 < top) {
			distinct_any_order(addr, mask, width, shift, out);
			return;
		}
		if (unit >= top) out->unit[n++] = unit;
		if (last > unit && last >= top) out->unit[n++] = last;
		top = last + 1;
	}
	out->count = n;
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

/* The hardware serves the lowest lane's segment with all lanes in it, then the next; which segments come out, and how
 * much of each is used, does not depend on that order. */
static void segment_half(GlobalCost *cost, Segment *segments, const uint64_t *addr, uint32_t mask, uint32_t width) {
	int shift = width == 1 ? 5 : width == 2 ? 6 : 7;
	uint64_t within = ((uint64_t)1 << shift) - 1;
	Extent extents[32];
	uint32_t n = 0;
	bool ascending = true; /* so far: then only the last one can be met again */
	for (; mask; mask &= mask - 1) {
		uint64_t at = addr[__builtin_ctz(mask)], end = at + width - 1;
		while (at <= end) { /* once, unless a word straddles two segments */
			uint64_t segment = at >> shift, stop = (segment << shift) + within;
			uint32_t low = (uint32_t)(at & within), high = (uint32_t)((end < stop ? end : stop) & within), i = n;
			if (n && segment < extents[n - 1].segment) ascending = false;
			if (ascending && n && segment > extents[n - 1].segment) i = 0;
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
	for (uint32_t i = 0; i < n; i++) {
		uint32_t bytes = 1u << shift, low = extents[i].low;
		while (bytes > 32 && low / (bytes / 2) == extents[i].high / (bytes / 2)) bytes /= 2;
		emit(cost, segments, (extents[i].segment << shift) + low / bytes * bytes, bytes);
	}
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

GlobalCost gpu_global_cost(const Gpu *gpu, const uint64_t addr[LANES], uint32_t mask, uint32_t width, bool store,
						   Segment *segments) {
	const Generation *g = gpu->generation;
	GlobalCost cost = {0};
	if (!mask || !width) return cost;
	if (g->coalescing != COALESCE_UNITS) return half_warps(gpu, addr, mask, width, segments);
	const uint32_t lanes = lanes_within(g->request_bytes, width),
				   group = lanes == LANES ? UINT32_MAX : (1u << lanes) - 1;
	const int shift = store ? 5 : __builtin_ctz(g->load_line);
	for (uint32_t first = 0; first < LANES; first += lanes) {
		uint32_t m = mask & group << first;
		if (!m) continue;
		Units units;
		distinct_units(addr, m, width, shift, &units);
		cost.requests++;
		for (uint32_t i = 0; i < units.count; i++) emit(&cost, segments, units.unit[i] << shift, 1u << shift);
	}
	return cost;
}

uint32_t gpu_global_period(const Gpu *gpu) {
	const Generation *g = gpu->generation;
	if (g->coalescing == COALESCE_IN_ORDER) return 256; /* 16 words of 16 bytes */
	return g->coalescing == COALESCE_UNITS ? g->load_line : 128;
}
