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

void patterns_reset(AccessPatterns *p, const Gpu *gpu, SameShape same, uint32_t n) {
	for (uint32_t i = 0; i < p->n; i++) {
		for (uint32_t k = 0; p->rows[i] && k < PATTERNS_KEPT; k++) {
			if (p->rows[i][k]) free(p->rows[i][k]->segments);
			free(p->rows[i][k]);
		}
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
	if (!*row) *row = xcalloc(PATTERNS_KEPT, sizeof **row);
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

static uint64_t hash_of(const Segment *segments, uint32_t n) {
	uint64_t hash = n + 1;
	for (uint32_t i = 0; i < n; i++) {
		hash = (hash ^ (segments[i].base + segments[i].bytes)) * UINT64_C(0x9E3779B97F4A7C15);
		hash ^= hash >> 32;
	}
	return hash;
}

static void keep(AccessPattern *p, uint64_t origin, const Segment *segments, uint32_t n) {
	p->cost = n;
	p->segments = xrealloc(p->segments, (n + !n) * sizeof *p->segments);
	for (uint32_t i = 0; i < n; i++) p->segments[i] = (Segment){segments[i].base - origin, segments[i].bytes};
}

static uint32_t cycles_of(const Gpu *gpu, const PatternKey *key, bool store) {
	const SharedCost cost = gpu_shared_cost(gpu, key->addr, key->mask, key->width, store);
	return gpu_shared_cycles(&cost);
}

uint32_t pattern_segments(AccessPatterns *patterns, const PatternKey *key, bool store, Segment *out, uint32_t *banks,
						  SegmentsId *id) {
	const Gpu *gpu = patterns->gpu;
	const uint64_t origin = key->addr[__builtin_ctz(key->mask)] & ~(uint64_t)(patterns->global - 1);
	const uint32_t period = banks && patterns->shared > patterns->global ? patterns->shared : patterns->global;
	AccessPattern *p = pattern_find(patterns, key, period);
	if (!p) {
		p = pattern_keep(patterns, key, period);
		keep(p, origin, out, gpu_global_cost(gpu, key->addr, key->mask, key->width, store, out).transactions);
		p->list = hash_of(p->segments, p->cost);
		if (banks) p->banks = cycles_of(gpu, key, false);
	}
	if (banks) *banks = p->banks;
	if (id) *id = (SegmentsId){p->list, origin};
	for (uint32_t i = 0; i < p->cost; i++) out[i] = (Segment){p->segments[i].base + origin, p->segments[i].bytes};
	return p->cost;
}

uint32_t pattern_shared_cycles(AccessPatterns *patterns, const PatternKey *key, bool store) {
	AccessPattern *p = pattern_find(patterns, key, patterns->shared);
	if (p) return p->cost;
	p = pattern_keep(patterns, key, patterns->shared);
	p->cost = cycles_of(patterns->gpu, key, store);
	return p->cost;
}
