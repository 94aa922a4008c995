// cooperative groups
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void count(int *counts, const int *data)
{
	auto warp = cg::tiled_partition<32>(cg::this_thread_block());
	size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
	int votes = __popcll((unsigned long long)warp.ballot(data[i] >= 1));
	if (warp.thread_rank() == 0) counts[i >> 5] = votes;
}
