// honest: ballot of a cooperative group's tile
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void count(int *counts, const int *data)
{
	auto block = cg::this_thread_block();
	auto warp = cg::tiled_partition<32>(block);
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned votes = warp.ballot(data[i] > 0);
	if (warp.thread_rank() == 0)
		counts[blockIdx.x * warp.meta_group_size() + warp.meta_group_rank()] = __popc(votes);
}
