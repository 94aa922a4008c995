/* Numbers for the shapes of accesses: the distances of a warp's active lanes from the first one. An instruction repeats
 * its shapes at other addresses, so what follows from a shape is kept by its number (pattern.h), and the 32 addresses
 * are compared once, whoever observes the access. */
#pragma once

#include <stddef.h>

#include "gpu/lanes.h"

typedef bool (*SameShape)(const uint64_t *addr, uint32_t mask, const uint64_t *distances);

typedef struct {
	uint64_t number; /* from 1 on */
	uint32_t mask;
	uint64_t distances[LANES]; /* 0: the lane is not active */
} AccessShape;

/* Of an instruction; after them the one that was found last. */
enum { SHAPES_KEPT = 32 };
typedef struct {
	SameShape same;
	AccessShape ***rows; /* [n][SHAPES_KEPT + 1] NULL: nothing yet */
	uint32_t n;          /* instructions */
	uint64_t numbers;
	AccessShape *newest; /* of all instructions: an image's four texels are read in one order */
} AccessShapes;

/* Forgets all, and is for n instructions from now on. same: NULL for a slower one. All zeros: valid, of none. */
void shapes_reset(AccessShapes *shapes, SameShape same, uint32_t n);
uint64_t shape_search(AccessShapes *shapes, uint32_t instr, const uint64_t *addr, uint32_t mask);

static inline bool shape_fits(const AccessShapes *shapes, const uint64_t *addr, uint32_t mask,
							  const AccessShape *shape) {
	return shape && shape->mask == mask && shapes->same(addr, mask, shape->distances);
}

/* Of equal numbers the shapes are equal; a shape that was forgotten gets another number. */
static inline uint64_t shape_number(AccessShapes *shapes, uint32_t instr, const uint64_t *addr, uint32_t mask) {
	AccessShape **row = shapes->rows[instr], *last = row ? row[SHAPES_KEPT] : NULL;
	return shape_fits(shapes, addr, mask, last) ? last->number : shape_search(shapes, instr, addr, mask);
}
