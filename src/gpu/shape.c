#include "gpu/shape.h"

#include <stdlib.h>

#include "base/arena.h"

static bool same_shape(const uint64_t *addr, uint32_t mask, const uint64_t *distances) {
	const uint64_t first = addr[first_lane(mask)];
	uint64_t different = 0;
	FOR_LANES(l, mask) different |= (addr[l] - first) ^ distances[l];
	return !different;
}

void shapes_reset(AccessShapes *s, SameShape same, uint32_t n) {
	for (uint32_t i = 0; i < s->n; i++) {
		for (uint32_t k = 0; s->rows[i] && k < SHAPES_KEPT; k++) free(s->rows[i][k]);
		free(s->rows[i]);
	}
	free(s->rows);
	*s = (AccessShapes){.same = same ? same : same_shape, .n = n};
	if (n) s->rows = xcalloc(n, sizeof *s->rows);
}

/* Lanes 1 and 9 differ between orders in which a tile is read. */
static uint32_t place_of(const uint64_t *addr, uint32_t mask) {
	const uint64_t first = addr[first_lane(mask)], last = addr[31 - __builtin_clz(mask)];
	uint64_t shape = last - first + mask;
	if (mask == UINT32_MAX) shape += (addr[1] - first) * 1000003 + (addr[9] - first) * 10007;
	return (uint32_t)(shape * UINT64_C(0x9E3779B97F4A7C15) >> 59) % SHAPES_KEPT;
}

static AccessShape *found(AccessShapes *s, uint32_t instr, AccessShape *shape) {
	return s->rows[instr][SHAPES_KEPT] = shape;
}

/* Two shapes that alternate may belong in one place: the one before it is still next to it. */
uint64_t shape_search(AccessShapes *s, uint32_t instr, const uint64_t *addr, uint32_t mask) {
	AccessShape ***row = &s->rows[instr];
	if (!*row) *row = xcalloc(SHAPES_KEPT + 1, sizeof **row);
	const uint32_t at = place_of(addr, mask);
	AccessShape **place = &(*row)[at], **next = &(*row)[at ^ 1], *shape = *next;
	if (shape_fits(s, addr, mask, *place)) return found(s, instr, *place)->number;
	if (shape_fits(s, addr, mask, shape)) return found(s, instr, shape)->number;
	if (shape_fits(s, addr, mask, s->newest)) return found(s, instr, s->newest)->number;
	if (!shape) shape = xcalloc(1, sizeof *shape);
	*next = *place;
	*place = s->newest = found(s, instr, shape);
	const uint64_t first = addr[first_lane(mask)];
	for (uint32_t l = 0; l < LANES; l++) shape->distances[l] = mask >> l & 1 ? addr[l] - first : 0;
	shape->mask = mask;
	return shape->number = ++s->numbers;
}
