#include "gpu/pattern.h"

#include <stdlib.h>

#include "base/arena.h"

static bool same_shape(const uint64_t *addr, uint32_t mask, const uint64_t *shape) {
	const uint64_t first = addr[__builtin_ctz(mask)];
	uint64_t different = 0;
	if (mask == UINT32_MAX) {
		for (uint32_t l = 0; l < LANES; l++) different |= (addr[l] - first) ^ shape[l];
		return !different;
	}
	for (; mask; mask &= mask - 1) {
		const uint32_t l = (uint32_t)__builtin_ctz(mask);
		different |= (addr[l] - first) ^ shape[l];
	}
	return !different;
}

static void pattern_free(AccessPattern *p) {
	if (!p) return;
	free(p->segments);
	free(p->units);
	free(p->touched);
	free(p);
}

void patterns_reset(AccessPatterns *p, const Gpu *gpu, SameShape same, uint32_t n) {
	for (uint32_t i = 0; i < p->n; i++) {
		for (uint32_t k = 0; p->rows[i] && k < PATTERNS_KEPT; k++) pattern_free(p->rows[i][k]);
		free(p->rows[i]);
	}
	free(p->rows);
	*p = (AccessPatterns){gpu, same ? same : same_shape, n ? xcalloc(n, sizeof *p->rows) : NULL, n, 0, 0};
	if (n) p->global = gpu_global_period(gpu), p->shared = gpu_shared_period(gpu);
}

AccessPattern *pattern_keep(AccessPatterns *patterns, const PatternKey *key, uint32_t period) {
	const uint64_t first = key->addr[__builtin_ctz(key->mask)];
	const uint32_t phase = pattern_phase(key, period);
	AccessPattern ***row = &patterns->rows[key->instr];
	if (!*row) *row = xcalloc(PATTERNS_KEPT + PATTERN_PHASES, sizeof **row);
	AccessPattern **place = &(*row)[pattern_place(key, phase)];
	if (!*place) *place = xcalloc(1, sizeof **place);
	AccessPattern *p = *place;
	for (uint32_t l = 0; l < LANES; l++) p->shape[l] = key->mask >> l & 1 ? key->addr[l] - first : 0;
	p->form = key->form;
	p->mask = key->mask;
	p->width = key->width;
	p->phase = phase;
	p->kind = key->kind;
	return p;
}

static uint64_t origin_of(const PatternKey *key, uint32_t period) {
	return key->addr[__builtin_ctz(key->mask)] & ~(uint64_t)(period - 1);
}

static inline uint64_t hash_on(uint64_t hash, uint64_t more) {
	hash = (hash ^ more) * UINT64_C(0x9E3779B97F4A7C15);
	return hash ^ hash >> 32;
}

const AccessPattern *pattern_segments(AccessPatterns *patterns, const PatternKey *key, bool store, uint64_t *origin) {
	AccessPattern *p = pattern_find(patterns, key, patterns->global);
	*origin = origin_of(key, patterns->global);
	if (p) return p;
	Segment segments[MAX_SEGMENTS];
	p = pattern_keep(patterns, key, patterns->global);
	p->cost = gpu_global_cost(patterns->gpu, key->addr, key->mask, key->width, store, segments).transactions;
	if (p->cost > p->room) p->segments = xrealloc(p->segments, (p->room = p->cost) * sizeof *p->segments);
	p->list = p->cost + 1;
	for (uint32_t i = 0; i < p->cost; i++) {
		p->segments[i] = (Segment){segments[i].base - *origin, segments[i].bytes};
		p->list = hash_on(p->list, p->segments[i].base + p->segments[i].bytes / SECTOR_BYTES);
	}
	return p;
}

static void keep_line(AccessPattern *p, uint64_t line, uint32_t sectors) {
	TouchedLine *last = p->ntouched ? &p->touched[p->ntouched - 1] : NULL;
	const bool same = last && last->line == line;
	p->lines += !same;
	if (same && !(last->sectors & sectors))
		last->sectors |= sectors;
	else
		p->touched[p->ntouched++] = (TouchedLine){line, sectors};
}

static void keep_lines(AccessPattern *p, uint64_t origin, const Segment *segments) {
	if (p->cost > p->room) {
		p->room = p->cost;
		p->units = xrealloc(p->units, p->room * sizeof *p->units);
		p->touched = xrealloc(p->touched, p->room * sizeof *p->touched);
	}
	p->ntouched = p->lines = p->sectors = 0;
	p->list = p->cost + 1;
	for (uint32_t i = 0; i < p->cost; i++) {
		const uint32_t sectors = segments[i].bytes / SECTOR_BYTES;
		const uint64_t sector = segments[i].base / SECTOR_BYTES, unit = sector - origin;
		keep_line(p, sector / SECTORS_PER_LINE - origin / SECTORS_PER_LINE,
				  ((1u << sectors) - 1) << sector % SECTORS_PER_LINE);
		p->sectors += p->unit_sectors = sectors;
		p->units[i] = unit;
		p->list = hash_on(p->list, unit << 3 | sectors);
	}
}

static uint32_t cycles_of(const Gpu *gpu, const PatternKey *key, bool store) {
	const SharedCost cost = gpu_shared_cost(gpu, key->addr, key->mask, key->width, store);
	return gpu_shared_cycles(&cost);
}

const AccessPattern *pattern_lines(AccessPatterns *patterns, const PatternKey *key, bool store, bool banks,
								   uint64_t *origin) {
	const uint32_t period = patterns->shared > CACHE_LINE_BYTES ? patterns->shared : CACHE_LINE_BYTES;
	AccessPattern *p = pattern_find(patterns, key, period);
	*origin = origin_of(key, period) / SECTOR_BYTES;
	if (p) return p;
	Segment segments[MAX_SEGMENTS];
	p = pattern_keep(patterns, key, period);
	p->cost = gpu_global_cost(patterns->gpu, key->addr, key->mask, key->width, store, segments).transactions;
	keep_lines(p, *origin, segments);
	if (banks) p->banks = cycles_of(patterns->gpu, key, false);
	return p;
}

uint32_t pattern_shared_cycles(AccessPatterns *patterns, const PatternKey *key, bool store) {
	AccessPattern *p = pattern_find(patterns, key, patterns->shared);
	if (p) return p->cost;
	p = pattern_keep(patterns, key, patterns->shared);
	p->cost = cycles_of(patterns->gpu, key, store);
	return p->cost;
}
