#include "gpu/pattern.h"

#include <stdlib.h>

#include "base/arena.h"

static void pattern_free(AccessPattern *p) {
	if (!p) return;
	free(p->segments);
	free(p->touched);
	free(p);
}

void patterns_reset(AccessPatterns *p, const Gpu *gpu, uint32_t n) {
	for (uint32_t i = 0; i < p->n; i++) {
		for (uint32_t k = 0; p->rows[i] && k < PATTERNS_KEPT; k++) pattern_free(p->rows[i][k]);
		free(p->rows[i]);
	}
	free(p->rows);
	*p = (AccessPatterns){.gpu = gpu, .n = n};
	if (!n) return;
	p->rows = xcalloc(n, sizeof *p->rows);
	p->global = gpu_global_period(gpu);
	p->shared = gpu_shared_period(gpu);
	p->line = p->shared > CACHE_LINE_BYTES ? p->shared : CACHE_LINE_BYTES;
}

AccessPattern *pattern_keep(AccessPatterns *patterns, const PatternKey *key, uint32_t period) {
	const uint32_t phase = pattern_phase(key, period);
	AccessPattern ***row = &patterns->rows[key->instr];
	if (!*row) *row = xcalloc(PATTERNS_KEPT + PATTERN_PHASES, sizeof **row);
	const uint32_t at = pattern_place(key, phase);
	AccessPattern **place = &(*row)[at], **other = &(*row)[pattern_other_place(at)], *p = NULL;
	if (*place) p = *other, *other = *place;
	if (!p) p = xcalloc(1, sizeof *p);
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

/* What an entry adds to the hash of a list, by its place: none waits for those before it. */
#define NEXT_PLACE UINT64_C(0xD6E8FEB86659FD93)
static inline uint64_t hash_of(uint64_t entry, uint64_t place) {
	const uint64_t mixed = (entry + place) * UINT64_C(0x9E3779B97F4A7C15);
	return mixed ^ mixed >> 32;
}

static inline uint64_t hash_end(uint64_t sum, uint32_t entries) {
	return (sum + entries + 1) * UINT64_C(0xBF58476D1CE4E5B9);
}

/* Lists of one place differ in length: most have room at once. */
static uint32_t room_for(uint32_t entries) {
	return (entries + LANES - 1) / LANES * LANES;
}

const AccessPattern *pattern_segments(AccessPatterns *patterns, const PatternKey *key, bool store, uint64_t *origin) {
	AccessPattern *p = pattern_find(patterns, key, patterns->global);
	*origin = origin_of(key, patterns->global);
	if (p) return p;
	Segment segments[MAX_SEGMENTS];
	p = pattern_keep(patterns, key, patterns->global);
	p->cost = gpu_global_cost(patterns->gpu, key->addr, key->mask, key->width, store, segments).transactions;
	if (p->cost > p->room) p->segments = xrealloc(p->segments, (p->room = room_for(p->cost)) * sizeof *p->segments);
	uint64_t list = 0;
	for (uint32_t i = 0; i < p->cost; i++) {
		p->segments[i] = (Segment){segments[i].base - *origin, segments[i].bytes};
		list += hash_of(p->segments[i].base + p->segments[i].bytes / SECTOR_BYTES, i * NEXT_PLACE);
	}
	p->list = hash_end(list, p->cost);
	return p;
}

/* Units of one line become one entry where they are neighbors and have no sector in common. */
static void keep_lines(AccessPattern *p, uint64_t origin, const uint64_t *units, uint32_t sectors) {
	if (p->cost > p->room) p->touched = xrealloc(p->touched, (p->room = room_for(p->cost)) * sizeof *p->touched);
	const uint32_t all = (1u << sectors) - 1, n = p->cost;
	const uint64_t first = origin / SECTORS_PER_LINE;
	uint32_t lines = 0, ntouched = 0;
	TouchedLine *touched = p->touched, last = {.line = UINT64_MAX};
	for (uint32_t i = 0; i < n; i++) {
		const uint64_t sector = units[i] * sectors, line = sector / SECTORS_PER_LINE - first;
		const uint32_t its = all << sector % SECTORS_PER_LINE;
		const bool same = line == last.line, joins = same & !(last.sectors & its);
		last = (TouchedLine){line, joins ? last.sectors | its : its};
		lines += !same;
		ntouched += !joins;
		touched[ntouched - 1] = last;
	}
	p->sectors = (uint16_t)(p->cost * sectors);
	p->lines = (uint16_t)lines;
	p->ntouched = (uint16_t)ntouched;
	p->list = 0;
}

void pattern_name_lines(AccessPattern *p) {
	uint64_t list = 0, place = 0;
	for (uint32_t i = 0; i < p->ntouched; i++, place += NEXT_PLACE)
		list += hash_of(p->touched[i].line << SECTORS_PER_LINE | p->touched[i].sectors, place);
	p->list = hash_end(list, p->ntouched);
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
	keep_lines(p, origin_of(key, patterns->line) / SECTOR_BYTES, units->units,
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
