// Cooperative groups: a tile of 32 threads.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void warp_sums(int *sums, const int *v)
{
	auto warp = cg::tiled_partition<32>(cg::this_thread_block());
	int sum = v[blockIdx.x * 256 + threadIdx.x];
	for (int d = warp.size() / 2; d > 0; d /= 2)
		sum += warp.shfl_down(sum, d);
	if (warp.thread_rank() == 0)
		sums[blockIdx.x * 8 + warp.meta_group_rank()] = sum;
}
