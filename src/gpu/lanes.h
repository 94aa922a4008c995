/* The lanes of a warp. */
#ifndef GPULAB_GPU_LANES_H
#define GPULAB_GPU_LANES_H

#include <stdbool.h>
#include <stdint.h>

enum { LANES = 32 };

/* Each lane of the mask, from the lowest on, is l once. */
#define FOR_LANES(l, mask)                                                                                             \
	for (uint32_t l, l##_left = (mask); l##_left && (l = (uint32_t)__builtin_ctz(l##_left), true);                     \
		 l##_left &= l##_left - 1)

/* How many lanes a request of so many bytes serves where each reads `width`: all, a half, or a quarter. */
static inline uint32_t lanes_within(uint32_t bytes, uint32_t width) {
	if (LANES * width <= bytes) return LANES;
	return LANES / 2 * width <= bytes ? LANES / 2 : LANES / 4;
}

static inline uint32_t first_lane(uint32_t mask) {
	return (uint32_t)__builtin_ctz(mask);
}

#endif
