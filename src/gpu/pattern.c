#include "gpu/pattern.h"

#include <stdlib.h>

#include "base/arena.h"

enum { KEPT = 32 }; /* of an instruction */

void patterns_reset(AccessPatterns *p, const Gpu *gpu, SameShape same, uint32_t n) {
	for (uint32_t i = 0; i < p->n; i++) {
		for (uint32_t k = 0; p->rows[i] && k < KEPT; k++) {
			if (p->rows[i][k]) free(p->rows[i][k]->segments);
			free(p->rows[i][k]);
		}
		free(p->rows[i]);
	}
	free(p->rows);
	*p = (AccessPatterns){gpu, same, n ? xcalloc(n, sizeof *p->rows) : NULL, n, 0, 0};
	if (n) p->global = gpu_global_period(gpu), p->shared = gpu_shared_period(gpu);
}

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

static uint64_t first_of(const PatternKey *key) {
	return key->addr[__builtin_ctz(key->mask)];
}

AccessPattern *access_pattern(AccessPatterns *patterns, const PatternKey *key, uint32_t period, bool *known) {
	const uint64_t first = first_of(key);
	const uint32_t phase = (uint32_t)first & (period - 1);
	AccessPattern ***row = &patterns->rows[key->instr], **place;
	const uint32_t lanes = key->mask == UINT32_MAX ? LANES : (uint32_t)__builtin_popcount(key->mask);
	if (!*row) *row = xcalloc(KEPT, sizeof **row);
	place = &(*row)[(phase / 4 + lanes) % KEPT];
	if (!*place) *place = xcalloc(1, sizeof **place);
	AccessPattern *p = *place;
	const SameShape same = patterns->same ? patterns->same : same_shape;
	*known = p->mask == key->mask && p->width == key->width && p->phase == phase && p->kind == key->kind &&
			 ((key->form && key->form == p->form) || same(key->addr, key->mask, p->shape));
	p->form = key->form;
	if (*known) return p;
	for (uint32_t l = 0; l < LANES; l++) p->shape[l] = key->mask >> l & 1 ? key->addr[l] - first : 0;
	p->mask = key->mask;
	p->width = key->width;
	p->phase = phase;
	p->kind = key->kind;
	return p;
}

static void keep(AccessPattern *p, uint64_t origin, const Segment *segments, uint32_t n) {
	p->cost = n;
	p->segments = xrealloc(p->segments, (n + !n) * sizeof *p->segments);
	for (uint32_t i = 0; i < n; i++) p->segments[i] = (Segment){segments[i].base - origin, segments[i].bytes};
}

uint32_t pattern_segments(AccessPatterns *patterns, const PatternKey *key, bool store, Segment *out, uint32_t *banks) {
	const Gpu *gpu = patterns->gpu;
	const uint64_t origin = first_of(key) & ~(uint64_t)(patterns->global - 1);
	bool known;
	AccessPattern *p = access_pattern(patterns, key, patterns->global, &known);
	if (!known) {
		keep(p, origin, out, gpu_global_cost(gpu, key->addr, key->mask, key->width, store, out).transactions);
		if (banks) p->banks = gpu_shared_cost(gpu, key->addr, key->mask, key->width, false).wavefronts;
	}
	if (banks) *banks = p->banks;
	for (uint32_t i = 0; i < p->cost; i++) out[i] = (Segment){p->segments[i].base + origin, p->segments[i].bytes};
	return p->cost;
}

uint32_t pattern_wavefronts(AccessPatterns *patterns, const PatternKey *key, bool store) {
	bool known;
	AccessPattern *p = access_pattern(patterns, key, patterns->shared, &known);
	if (!known) p->cost = gpu_shared_cost(patterns->gpu, key->addr, key->mask, key->width, store).wavefronts;
	return p->cost;
}
