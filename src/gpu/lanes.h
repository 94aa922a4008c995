/* The lanes of a warp. */
#pragma once

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
	for (uint32_t l, l##_left = in_stored_order(mask, width);                                                          \
		 l##_left && (l = STORED_LANE((uint32_t)__builtin_ctz(l##_left), width), true); l##_left &= l##_left - 1)

/* Bit k of the result is that of lane STORED_LANE(k, width). */
static inline uint32_t in_stored_order(uint32_t mask, uint32_t width) {
	const uint32_t lanes = lanes_within(128, width);
	mask = (mask & 0x55555555) << 1 | (mask >> 1 & 0x55555555);
	mask = (mask & 0x33333333) << 2 | (mask >> 2 & 0x33333333);
	mask = (mask & 0x0f0f0f0f) << 4 | (mask >> 4 & 0x0f0f0f0f);
	if (lanes == LANES) return __builtin_bswap32(mask);
	return lanes == LANES / 2 ? (mask & 0x00ff00ff) << 8 | (mask >> 8 & 0x00ff00ff) : mask;
}

static inline uint32_t first_lane(uint32_t mask) {
	return (uint32_t)__builtin_ctz(mask);
}
