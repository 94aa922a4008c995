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

/* Of lanes that store to one address an H200 keeps the lowest one's, of the last 128 bytes: of all lanes up to 32 bits,
 * of the upper half-warp with 64 bits, of the last quarter with 128. In this order stores overwrite each other in that
 * way: STORED_LANE is the k-th lane, and FOR_STORES takes those of the mask. */
#define STORED_LANE(k, width) ((k) ^ (lanes_within(128, width) - 1))
#define FOR_STORES(l, mask, width)                                                                                     \
	for (uint32_t l, l##_left = (mask); l##_left && (l = next_stored(l##_left, width), true); l##_left &= ~(1u << l))

static inline uint32_t next_stored(uint32_t left, uint32_t width) {
	const uint32_t lanes = lanes_within(128, width), part = (uint32_t)__builtin_ctz(left) & ~(lanes - 1);
	const uint32_t those = lanes == LANES ? left : left & ((1u << lanes) - 1) << part;
	return 31 - (uint32_t)__builtin_clz(those);
}

static inline uint32_t first_lane(uint32_t mask) {
	return (uint32_t)__builtin_ctz(mask);
}

#endif
