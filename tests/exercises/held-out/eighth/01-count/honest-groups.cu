// honest: the same vote through cooperative groups
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void count(int *counts, const int *data)
{
	auto warp = cg::tiled_partition<32>(cg::this_thread_block());
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned votes = warp.ballot(data[i] > 0);
	if (warp.thread_rank() == 0)
		counts[i / 32] = __popc(votes);
}
