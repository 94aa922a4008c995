/* Where the models take a launch's memory to be. An allocation's address depends on what was allocated before; a
 * prediction does not: the ranges of a launch are one after the other, in the order in which it names them. */
#pragma once

#include "emu/observer.h"

enum { PLACEMENT_RANGES = 64 };

typedef struct {
	uint64_t base, bytes, shift; /* shift: added to an address, modulo 2^64 */
} PlacedRange;

typedef struct {
	PlacedRange of[PLACEMENT_RANGES];
	uint32_t n, last; /* last: the range of the last address */
	const uint8_t *params;
	size_t param_bytes;
} Placement;

Placement placement_of(const LaunchInfo *info);
uint64_t placement_find(Placement *p, uint64_t address);
/* What is added to an address of global memory. */
static inline uint64_t placement_shift(Placement *p, uint64_t address) {
	const PlacedRange *last = &p->of[p->last];
	return address - last->base < last->bytes ? last->shift : placement_find(p, address);
}
/* A number for a texture's handle: of the parameter that has it, or else its own. During the launch. */
uint64_t placement_texture(const Placement *p, uint64_t handle);
