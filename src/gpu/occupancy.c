/* How many blocks an SM holds at once, and what a launch may ask for. The arithmetic is that of NVIDIA's occupancy
 * calculator (cc 1.x and 2.x) and of cuda_occupancy.h (later). */
#include "gpu/gpu.h"

static size_t round_up(size_t n, size_t unit) {
	return unit ? (n + unit - 1) / unit * unit : n;
}

static bool too_many(const Gpu *gpu, Err *err, unsigned long long asked, const char *what, unsigned long long allowed,
					 const char *remedy) {
	err_set(err, ERR_FAULT, "%llu %s asked, the %s allows %llu", asked, what, gpu->name, allowed);
	err_hint(err, "%s", remedy);
	return false;
}

static const char *remedy_of(uint32_t asked, const char *remedy) {
	return asked > INT32_MAX ? "a negative number was taken for this one: look at how it is computed" : remedy;
}

bool gpu_allows(const Gpu *gpu, const uint32_t grid[3], const uint32_t block[3], size_t shared, Err *err) {
	static const char *const block_axis[] = {"threads per block in x", "threads per block in y",
											 "threads per block in z"};
	static const char *const grid_axis[] = {"blocks in x", "blocks in y", "blocks in z"};
	for (int i = 0; i < 3; i++)
		if (!grid[i] || !block[i])
			return err_set(err, ERR_FAULT, "a %s size of 0 was asked, the %s needs at least 1",
						   grid[i] ? "block" : "grid", gpu->name);
	/* Each factor below 2^32: the product of two fits, so stop before the third where it is hopeless already. */
	uint64_t threads = (uint64_t)block[0] * block[1];
	threads = threads > UINT32_MAX ? threads : threads * block[2];
	if (threads > gpu->threads_per_block)
		return too_many(gpu, err, threads, "threads per block", gpu->threads_per_block,
						remedy_of(block[0] | block[1] | block[2], "use smaller blocks and more of them"));
	for (int i = 0; i < 3; i++)
		if (block[i] > gpu->max_block[i])
			return too_many(gpu, err, block[i], block_axis[i], gpu->max_block[i], "give the block another shape");
	for (int i = 0; i < 3; i++)
		if (grid[i] > gpu->max_grid[i])
			return too_many(gpu, err, grid[i], grid_axis[i], gpu->max_grid[i],
							remedy_of(grid[i], "spread the grid over more axes, or let each thread do more"));
	if (shared > gpu->shared_per_block)
		return too_many(gpu, err, shared, "bytes of shared memory per block", gpu->shared_per_block,
						"use a smaller tile, or keep part of it in registers");
	return true;
}

void gpu_fold(const Gpu *gpu, const uint32_t grid[3], uint32_t out[3]) {
	for (int i = 0; i < 3; i++) out[i] = grid[i];
	if (grid[0] <= gpu->max_grid[0] || grid[1] != 1 || grid[2] != 1 || !gpu->max_grid[0]) return;
	out[1] = (grid[0] - 1) / gpu->max_grid[0] + 1;
	out[0] = (grid[0] - 1) / out[1] + 1;
}

/* Blocks whose registers fit; 0 where one block does not. */
static uint32_t blocks_by_registers(const Gpu *gpu, uint32_t warps, uint32_t registers) {
	if (gpu->register_unit_per_block) {
		size_t block = round_up(round_up(warps, gpu->warp_unit) * registers * 32, gpu->register_unit);
		return (uint32_t)(gpu->registers_per_sm / block);
	}
	/* Each part of the SM has its share of the registers and holds whole warps. The launch check assumes a block's
	 * warps spread evenly over the parts. */
	size_t a_warp = round_up((size_t)registers * 32, gpu->register_unit);
	if (a_warp * round_up(warps, gpu->warp_unit) > gpu->registers_per_sm) return 0;
	size_t in_part = gpu->registers_per_sm / gpu->warp_unit / a_warp;
	return (uint32_t)(in_part * gpu->warp_unit / warps);
}

uint32_t gpu_fit_registers(const Gpu *gpu, uint32_t threads, uint32_t registers) {
	const uint32_t warps = (threads + 31) / 32;
	if (registers > gpu->registers_per_thread) return registers;
	while (registers > 1 && !blocks_by_registers(gpu, warps, registers)) registers--;
	return registers;
}

bool gpu_occupancy(const Gpu *gpu, uint32_t threads, uint32_t registers, size_t shared, Occupancy *out, Err *err) {
	if (!threads) return err_set(err, ERR_FAULT, "a block of 0 threads was asked, the %s needs at least 1", gpu->name);
	if (threads > gpu->threads_per_block)
		return too_many(gpu, err, threads, "threads per block", gpu->threads_per_block,
						"use smaller blocks and more of them");
	if (registers > gpu->registers_per_thread)
		return too_many(gpu, err, registers, "registers per thread", gpu->registers_per_thread,
						"keep fewer values alive at a time, or let the compiler spill them (-maxrregcount)");
	if (shared > gpu->shared_per_block)
		return too_many(gpu, err, shared, "bytes of shared memory per block", gpu->shared_per_block,
						"use a smaller tile, or keep part of it in registers");

	uint32_t warps = (threads + 31) / 32;
	uint32_t limits[] = {gpu->blocks_per_sm, gpu->warps_per_sm / warps, UINT32_MAX, UINT32_MAX};
	static const char *const names[] = {"blocks", "warps", "shared memory", "registers"};
	size_t taken = round_up(shared + gpu->shared_reserved, gpu->shared_unit);
	if (taken) limits[2] = (uint32_t)(gpu->shared_per_sm / taken);
	if (registers) limits[3] = blocks_by_registers(gpu, warps, registers);

	int binding = 0;
	for (int i = 1; i < 4; i++)
		if (limits[i] < limits[binding]) binding = i;
	if (!limits[3])
		return too_many(gpu, err, (unsigned long long)registers * threads, "registers per block", gpu->registers_per_sm,
						"use smaller blocks, or fewer registers per thread");
	if (!limits[binding]) /* cc 1.x: exactly all shared memory, and the arguments need room too */
		return too_many(gpu, err, taken, "bytes of shared memory per block, the reserved ones included",
						gpu->shared_per_sm, "use a smaller tile");
	*out = (Occupancy){
		.blocks_per_sm = limits[binding],
		.warps_per_sm = limits[binding] * warps,
		.fraction = (double)(limits[binding] * warps) / gpu->warps_per_sm,
		.limited_by = names[binding],
	};
	return true;
}
