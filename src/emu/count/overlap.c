#include "emu/count/overlap.h"

#include <stdlib.h>

#include "base/arena.h"

enum { MOST_INTERVALS = 1 << 16 }; /* per warp: the others count as one with the last */

static Interval *current(Overlap *o, uint32_t warp) {
	if (!o->warps[warp].len) vec_push(&o->warps[warp], ((Interval){0}));
	return &o->warps[warp].data[o->warps[warp].len - 1];
}

void overlap_access(Overlap *o, const Access *a) {
	if (a->kind != ACCESS_LOAD) return;
	if (a->space == SPACE_GLOBAL) current(o, a->warp % 32)->loads++;
	if (a->space == SPACE_SHARED) current(o, a->warp % 32)->uses++;
}

void overlap_barrier(Overlap *o, uint32_t warp) {
	const Interval *now = current(o, warp % 32);
	if ((now->loads || now->uses) && o->warps[warp % 32].len < MOST_INTERVALS)
		vec_push(&o->warps[warp % 32], ((Interval){0}));
}

static uint64_t serial_of(const Interval *intervals, size_t n) {
	uint64_t loads = 0, uses = 0, apart = 0;
	for (size_t i = 0; i < n; i++) {
		loads += intervals[i].loads;
		uses += intervals[i].uses;
	}
	if (!uses) return loads;
	for (size_t i = 0; i < n; i++) {
		const uint64_t a = intervals[i].loads * uses, b = intervals[i].uses * loads;
		apart += a > b ? a - b : 0;
	}
	return apart / uses;
}

uint64_t overlap_serial(const Overlap *o) {
	uint64_t serial = 0;
	for (int w = 0; w < 32; w++) serial += serial_of(o->warps[w].data, o->warps[w].len);
	return serial;
}

void overlap_free(Overlap *o) {
	for (int w = 0; o && w < 32; w++) vec_free(&o->warps[w]);
	free(o);
}
