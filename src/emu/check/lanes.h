/* The 32 addresses of a warp as checkers look at them at every access. */
#pragma once

#include "emu/observer.h"

/* The addresses of all 32 lanes: one; consecutive elements; consecutive ones in each half; others. */
typedef enum { PATTERN_ONE, PATTERN_ROW, PATTERN_HALVES, PATTERN_ANY } Pattern;
static inline Pattern lanes_pattern(const Access *a) {
	const uint64_t distance = a->form >> 32;
	switch (a->form & 15) {
	case HALF_ROW | HALF_ROW << 2: return distance == LANES / 2 * a->width ? PATTERN_ROW : PATTERN_HALVES;
	case HALF_ONE | HALF_ONE << 2: return distance ? PATTERN_ANY : PATTERN_ONE;
	default: return PATTERN_ANY;
	}
}

typedef struct {
	uint64_t low, high; /* lowest and highest address */
} LaneSpan;
LaneSpan lanes_span_any(const uint64_t *addr, uint32_t mask); /* of any form */
static inline LaneSpan lanes_span(const Access *a) {
	const uint64_t *addr = a->addr;
	if (!a->form) return lanes_span_any(addr, a->mask);
	return (LaneSpan){addr[0] < addr[LANES / 2] ? addr[0] : addr[16], addr[15] > addr[31] ? addr[15] : addr[31]};
}

void lanes_words16(const uint64_t *addr, uint16_t *index); /* addr / 4 */
