/* What a warp's access to constant memory costs in passes: in each the cache delivers one word, to all lanes that read
 * it (CUDA programming guide, "constant memory"). A lane's access of 8 or 16 bytes is one word here. */
#include "gpu/gpu.h"

uint32_t gpu_constant_passes(const uint64_t addr[LANES], uint32_t mask, uint32_t width) {
	uint64_t words[LANES];
	uint32_t passes = 0;
	for (uint32_t m = mask; m; m &= m - 1) {
		const uint64_t word = addr[__builtin_ctz(m)] / (width > 4 ? width : 4);
		uint32_t k = 0;
		while (k < passes && words[k] != word) k++;
		words[k] = word;
		if (k == passes) passes++;
	}
	return passes;
}
