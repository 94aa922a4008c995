// @kernel sums
// @grid 2
// @block 128
// @buffer out i32 4 0
// @arg out
// @expect out 2016 + 4096 * (i % 2)
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
__global__ void sums(int *out)
{
	__shared__ cg::block_tile_memory<128> memory;
	auto pair = cg::tiled_partition<64>(cg::this_thread_block(memory));
	const int sum = cg::reduce(pair, (int)threadIdx.x, cg::plus<int>());
	pair.sync();
	if (pair.thread_rank() == 0)
		out[2 * blockIdx.x + pair.meta_group_rank()] = sum;
}
