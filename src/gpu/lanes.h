/* The lanes of a warp, and patterns in their addresses, found with vector operations. */
#ifndef GPULAB_GPU_LANES_H
#define GPULAB_GPU_LANES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { LANES = 32 };

/* Each lane of the mask, from the lowest on, is l once. */
#define FOR_LANES(l, mask)                                                                                             \
	for (uint32_t l, l##_left = (mask); l##_left && (l = (uint32_t)__builtin_ctz(l##_left), true);                     \
		 l##_left &= l##_left - 1)

typedef uint64_t LanePair __attribute__((vector_size(16)));

/* Is addr[i] == addr[0] + i * step for all of the first `lanes` (an even number)? Steps may be "negative": arithmetic
 * is modulo 2^64. */
static inline bool lanes_step_by(const uint64_t *addr, uint32_t lanes, uint64_t step) {
	LanePair expected = {addr[0], addr[0] + step}, advance = {2 * step, 2 * step}, different = {0, 0};
	for (uint32_t i = 0; i < lanes; i += 2) {
		LanePair a;
		memcpy(&a, addr + i, sizeof a);
		different |= a ^ expected;
		expected += advance;
	}
	return !(different[0] | different[1]);
}

#endif
