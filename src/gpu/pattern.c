#include "gpu/pattern.h"

#include "base/arena.h"

void patterns_reset(AccessPatterns *p, const Gpu *gpu, uint32_t n) {
	arena_free(p->arena);
	*p = (AccessPatterns){.gpu = gpu, .n = n};
	if (!n) return;
	p->arena = arena_new();
	p->rows = arena_array(p->arena, n, sizeof *p->rows);
	p->global = gpu_global_period(gpu);
	p->shared = gpu_shared_period(gpu);
	p->line = p->shared > CACHE_LINE_BYTES ? p->shared : CACHE_LINE_BYTES;
}

AccessPattern *pattern_keep(AccessPatterns *patterns, const PatternKey *key, uint32_t period) {
	const uint32_t phase = pattern_phase(key, period);
	AccessPattern ***row = &patterns->rows[key->instr];
	if (!*row) *row = arena_array(patterns->arena, PATTERNS_KEPT + PATTERN_PHASES, sizeof **row);
	const uint32_t at = pattern_place(key, phase);
	AccessPattern **place = &(*row)[at], **other = &(*row)[pattern_other_place(at)], *p = NULL;
	if (*place) p = *other, *other = *place;
	if (!p) p = arena_alloc(patterns->arena, sizeof *p);
	*place = p;
	p->shape = key->shape;
	p->mask = key->mask;
	p->width = key->width;
	p->phase = phase;
	p->kind = key->kind;
	return patterns->newest = patterns->newest_of[phase / 4 % PATTERN_PHASES] = p;
}

static uint64_t origin_of(const PatternKey *key, uint32_t period) {
	return key->addr[__builtin_ctz(key->mask)] & ~(uint64_t)(period - 1);
}

/* Room for a pattern's list. Lists of one place differ in length: most have room at once. */
static void *list_for(AccessPatterns *patterns, AccessPattern *p, void *list, size_t size) {
	if (p->cost <= p->room) return list;
	p->room = (p->cost + LANES - 1) / LANES * LANES;
	return arena_array(patterns->arena, p->room, size);
}

const AccessPattern *pattern_segments(AccessPatterns *patterns, const PatternKey *key, bool store, uint64_t *origin) {
	AccessPattern *p = pattern_find(patterns, key, patterns->global);
	*origin = origin_of(key, patterns->global);
	if (p) return p;
	Segment segments[MAX_SEGMENTS];
	p = pattern_keep(patterns, key, patterns->global);
	p->cost = gpu_global_cost(patterns->gpu, key->addr, key->mask, key->width, store, segments).transactions;
	p->segments = list_for(patterns, p, p->segments, sizeof *p->segments);
	for (uint32_t i = 0; i < p->cost; i++) p->segments[i] = (Segment){segments[i].base - *origin, segments[i].bytes};
	return p;
}

/* Units of one line become one entry where they are neighbors and share no sector, as distinct ones do not. */
static inline void list_lines(AccessPattern *p, uint64_t first, const uint64_t *units, uint32_t sectors,
							  bool distinct) {
	const uint32_t all = (1u << sectors) - 1, n = p->cost;
	TouchedLine *touched = p->touched;
	uint64_t last = ~(units[0] * sectors / SECTORS_PER_LINE);
	uint32_t lines = 0, there = 0, entries = 0;
	for (uint32_t i = 0; i < n; i++) {
		const uint64_t sector = units[i] * sectors, line = sector / SECTORS_PER_LINE;
		const uint32_t its = all << sector % SECTORS_PER_LINE;
		const bool same = line == last, joins = distinct ? same : same & !(there & its);
		there = (there & -(uint32_t)joins) | its;
		lines += !same;
		entries += !joins;
		touched[entries - 1] = touched_line(line - first, there);
		last = line;
	}
	p->lines = (uint16_t)lines;
	p->ntouched = (uint16_t)entries;
}

static void keep_lines(AccessPatterns *patterns, AccessPattern *p, uint64_t origin, const GlobalUnits *units,
					   uint32_t sectors) {
	const uint64_t first = origin / SECTORS_PER_LINE;
	p->touched = list_for(patterns, p, p->touched, sizeof *p->touched);
	if (sectors == 1 && units->cost.requests == 1)
		list_lines(p, first, units->units, 1, true); /* the most frequent case, faster */
	else
		list_lines(p, first, units->units, sectors, false);
	p->sectors = (uint16_t)(p->cost * sectors);
}

static uint32_t cycles_of(const Gpu *gpu, const PatternKey *key, SharedUse use) {
	return gpu_shared_use_cycles(gpu, key->addr, key->mask, key->width, use);
}

/* The cycles of a load; as many if all of it is moved, by what the banks' rules are indifferent to. */
static uint32_t banks_of(const AccessPatterns *patterns, const PatternKey *key, uint32_t phase) {
	const AccessPattern *p = patterns->newest;
	const bool moved = pattern_has_shape(p, key) && (p->phase ^ phase) % patterns->shared == 0;
	return moved ? p->banks : cycles_of(patterns->gpu, key, SHARED_LOAD);
}

AccessPattern *pattern_new_lines(AccessPatterns *patterns, const PatternKey *key, bool store, bool banks) {
	GlobalUnits own;
	own.rules = NULL;
	const uint32_t cycles = banks ? banks_of(patterns, key, pattern_phase(key, patterns->line)) : 0;
	AccessPattern *p = pattern_keep(patterns, key, patterns->line);
	const GlobalUnits *units =
		gpu_global_units(patterns->gpu, key->addr, key->mask, key->width, store, key->units ? key->units : &own);
	p->cost = units->cost.transactions;
	p->banks = (uint16_t)cycles;
	keep_lines(patterns, p, origin_of(key, patterns->line) / SECTOR_BYTES, units,
			   gpu_global_unit(patterns->gpu, store) / SECTOR_BYTES);
	return p;
}

uint32_t pattern_shared_cycles(AccessPatterns *patterns, const PatternKey *key, SharedUse use) {
	AccessPattern *p = pattern_find(patterns, key, patterns->shared);
	if (p) return p->cost;
	p = pattern_keep(patterns, key, patterns->shared);
	p->cost = cycles_of(patterns->gpu, key, use);
	return p->cost;
}
