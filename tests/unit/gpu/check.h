/* Small helpers for cmocka tests of rules that take a warp's addresses. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gpu/gpu.h"

enum { ALL = -1 };

static inline const Gpu *need(const char *name) {
	const Gpu *gpu = gpu_find(name, NULL);
	assert_non_null(gpu);
	return gpu;
}

/* addr[lane] = base + lane * step */
static inline void lanes(uint64_t addr[32], uint64_t base, int64_t step) {
	for (int i = 0; i < 32; i++) addr[i] = base + (uint64_t)(i * step);
}

/* A reproducible stream of numbers (xorshift). */
static inline uint32_t next_random(uint64_t *state) {
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return (uint32_t)(*state >> 20);
}
