#include "model/generation.h"

#define KIB(n) ((size_t)(n)*1024)

/* Sources, by column.
 * dram_attained: from 7.0 on large copies on V100, A100 and H200. Before, what the GPU-STREAM project recorded of copies of
 *   400 MB: 175 of 192 GB/s on a GTX 580 (2.0), 220 of 288 on a K40 (3.x), 169 of 224 on a GTX 980 (5.x). 6.x: as 5.x.
 * issue: warp schedulers. 2.0 has two, each of which takes two clocks for a warp. That those of 3.0 to 6.1 can issue a second,
 *   independent instruction is left out, so that arithmetic may come out up to half too slow on Kepler.
 * pass_clocks: 2.0 serves 16 lanes a clock, as for arithmetic.
 * barrier_clocks: CUDA programming guide, throughput of __syncthreads() in threads a clock: 16, 128, 64, 32, 64, 16.
 * constant_clocks: from 7.0 on the unit that takes barriers serves constant loads, too (Nsight Compute's documentation of the
 *   pipelines), an address as a warp at a barrier. Before, one a clock is taken.
 * L1: CUDA programming guide and tuning guides of each generation. Of 3.5 to 6.1 it is the read-only cache.
 * l2_: from stores and loads at strides of 4 B to 32 KB on an H200, taken to hold from 7.0 on. Before, a sector is a sector: with
 *   the weights of the H200 no K40 could copy as fast as it does.
 * lanes: CUDA programming guide, throughput of native arithmetic instructions. */
/* clang-format off */
static const Generation generations[] = {
	{.from_cc = 20, .dram_attained = 0.91, .issue = 1, .pass_clocks = 2, .barrier_clocks = 2, .constant_clocks = 1,
	 .l1_loads = L1_LOADS_ALL, .l1_bytes = KIB(16), .l1_line = 128, .dram_piece = 32,
	 .l2_load_line = 1, .l2_store_sector = 1, .l2_store_line = 0,
	 .int_lanes = 32, .convert_lanes = 16, .memory_lanes = 16, .half_lanes = 1, .multiply = 1, .multiply_wide = 2, .multiply_use = 2},
	{.from_cc = 30, .dram_attained = 0.765, .issue = 4, .pass_clocks = 1, .barrier_clocks = 0.25, .constant_clocks = 1,
	 .l1_loads = L1_LOADS_NONE, .l1_bytes = KIB(16), .l1_line = 32, .dram_piece = 32,
	 .l2_load_line = 1, .l2_store_sector = 1, .l2_store_line = 0,
	 .int_lanes = 160, .convert_lanes = 32, .memory_lanes = 32, .half_lanes = 1, .multiply = 1, .multiply_wide = 2, .multiply_use = 5},
	{.from_cc = 35, .dram_attained = 0.765, .issue = 4, .pass_clocks = 1, .barrier_clocks = 0.25, .constant_clocks = 1,
	 .l1_loads = L1_LOADS_READ_ONLY, .l1_bytes = KIB(48), .l1_line = 32, .dram_piece = 32,
	 .l2_load_line = 1, .l2_store_sector = 1, .l2_store_line = 0,
	 .int_lanes = 160, .convert_lanes = 32, .memory_lanes = 32, .half_lanes = 1, .multiply = 1, .multiply_wide = 2, .multiply_use = 5},
	{.from_cc = 50, .dram_attained = 0.755, .issue = 4, .pass_clocks = 1, .barrier_clocks = 0.5, .constant_clocks = 1,
	 .l1_loads = L1_LOADS_READ_ONLY, .l1_bytes = KIB(48), .l1_line = 32, .dram_piece = 32,
	 .l2_load_line = 1, .l2_store_sector = 1, .l2_store_line = 0,
	 .int_lanes = 128, .convert_lanes = 32, .memory_lanes = 32, .half_lanes = 1, .multiply = 3, .multiply_wide = 4, .multiply_use = 1},
	{.from_cc = 60, .dram_attained = 0.755, .issue = 2, .pass_clocks = 1, .barrier_clocks = 1, .constant_clocks = 1,
	 .l1_loads = L1_LOADS_ALL, .l1_bytes = KIB(24), .l1_line = 32, .dram_piece = 32,
	 .l2_load_line = 1, .l2_store_sector = 1, .l2_store_line = 0,
	 .int_lanes = 64, .convert_lanes = 16, .memory_lanes = 16, .half_lanes = 1, .multiply = 3, .multiply_wide = 4, .multiply_use = 1},
	{.from_cc = 61, .dram_attained = 0.755, .issue = 4, .pass_clocks = 1, .barrier_clocks = 0.5, .constant_clocks = 1,
	 .l1_loads = L1_LOADS_READ_ONLY, .l1_bytes = KIB(48), .l1_line = 32, .dram_piece = 32,
	 .l2_load_line = 1, .l2_store_sector = 1, .l2_store_line = 0,
	 .int_lanes = 128, .convert_lanes = 32, .memory_lanes = 32, .half_lanes = 1.0 / 128, .multiply = 3, .multiply_wide = 4, .multiply_use = 1},
	{.from_cc = 70, .dram_attained = 0.90, .issue = 4, .pass_clocks = 1, .barrier_clocks = 2, .constant_clocks = 2,
	 .l1_loads = L1_LOADS_ALL, .l1_bytes = KIB(128), .l1_shared = true, .l1_line = 32, .dram_piece = 32,
	 .l2_load_line = 1.9, .l2_store_sector = 1.9, .l2_store_line = 1.7,
	 .int_lanes = 64, .convert_lanes = 16, .memory_lanes = 32, .half_lanes = 1, .multiply = 1, .multiply_wide = 1, .multiply_use = 1},
	{.from_cc = 75, .dram_attained = 0.90, .issue = 4, .pass_clocks = 1, .barrier_clocks = 2, .constant_clocks = 2,
	 .l1_loads = L1_LOADS_ALL, .l1_bytes = KIB(96), .l1_shared = true, .l1_line = 32, .dram_piece = 32,
	 .l2_load_line = 1.9, .l2_store_sector = 1.9, .l2_store_line = 1.7,
	 .int_lanes = 64, .convert_lanes = 16, .memory_lanes = 32, .half_lanes = 1, .multiply = 1, .multiply_wide = 1, .multiply_use = 1},
	{.from_cc = 80, .dram_attained = 0.90, .issue = 4, .pass_clocks = 1, .barrier_clocks = 2, .constant_clocks = 2,
	 .l1_loads = L1_LOADS_ALL, .l1_bytes = KIB(192), .l1_shared = true, .l1_line = 32, .dram_piece = 64,
	 .l2_load_line = 1.9, .l2_store_sector = 1.9, .l2_store_line = 1.7,
	 .int_lanes = 64, .convert_lanes = 64, .memory_lanes = 32, .half_lanes = 2, .multiply = 1, .multiply_wide = 1, .multiply_use = 1},
	{.from_cc = 86, .dram_attained = 0.90, .issue = 4, .pass_clocks = 1, .barrier_clocks = 2, .constant_clocks = 2,
	 .l1_loads = L1_LOADS_ALL, .l1_bytes = KIB(128), .l1_shared = true, .l1_line = 32, .dram_piece = 64,
	 .l2_load_line = 1.9, .l2_store_sector = 1.9, .l2_store_line = 1.7,
	 .int_lanes = 64, .convert_lanes = 64, .memory_lanes = 32, .half_lanes = 0.5, .multiply = 1, .multiply_wide = 1, .multiply_use = 1},
	{.from_cc = 90, .dram_attained = 0.90, .issue = 4, .pass_clocks = 1, .barrier_clocks = 2, .constant_clocks = 2,
	 .l1_loads = L1_LOADS_ALL, .l1_bytes = KIB(256), .l1_shared = true, .l1_line = 32, .dram_piece = 64,
	 .l2_load_line = 1.9, .l2_store_sector = 1.9, .l2_store_line = 1.7,
	 .int_lanes = 64, .convert_lanes = 64, .memory_lanes = 32, .half_lanes = 1, .multiply = 1, .multiply_wide = 1, .multiply_use = 1},
};
/* clang-format on */

const Generation *generation_of(const Gpu *gpu) {
	const Generation *found = &generations[0];
	for (size_t i = 0; i < sizeof generations / sizeof generations[0]; i++)
		if (generations[i].from_cc <= gpu->cc) found = &generations[i];
	return found;
}

double generation_dram(const Gpu *gpu) {
	return gpu->copy_gbps > 0 ? gpu->copy_gbps : gpu->dram_gbps * generation_of(gpu)->dram_attained;
}

double generation_l2(const Gpu *gpu) {
	return gpu->l2_gbps > 0 ? gpu->l2_gbps : 32.0 * gpu->sms * gpu->shader_ghz;
}

enum { MULTIPLY_LANES = 64 }; /* from 7.0 on; before, PIPE_INT has them */

double generation_lanes(const Gpu *gpu, Pipe pipe) {
	const Generation *g = generation_of(gpu);
	switch (pipe) {
	case PIPE_INT: return g->int_lanes;
	case PIPE_FP32: return gpu->fp32_lanes;
	case PIPE_MULTIPLY: return MULTIPLY_LANES;
	case PIPE_FP64: return gpu->fp32_lanes * gpu->fp64_ratio;
	case PIPE_FP16: return gpu->fp32_lanes * g->half_lanes;
	case PIPE_SFU: return gpu->sfu_lanes;
	case PIPE_CONVERT: return g->convert_lanes;
	case PIPE_MEMORY: return g->memory_lanes;
	default: return 0;
	}
}
