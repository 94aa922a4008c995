/* check/lanes.h: loops over all lanes without branches. */
#include "emu/check/lanes.h"
#include "base/isas.h"

#define EACH_LANE for (uint32_t l = 0; l < LANES; l++)

MANY_ISAS void lanes_words16(const uint64_t *addr, uint16_t *index) {
	EACH_LANE index[l] = (uint16_t)(addr[l] >> 2);
}

/* Lanes outside the mask count as the first one inside. */
MANY_ISAS LaneSpan lanes_span_any(const uint64_t *addr, uint32_t mask) {
	const uint64_t first = addr[__builtin_ctz(mask)];
	uint64_t low = first, high = first;
	EACH_LANE {
		const uint64_t x = mask >> l & 1 ? addr[l] : first;
		low = x < low ? x : low;
		high = x > high ? x : high;
	}
	return (LaneSpan){low, high};
}
