// honest: a tile of 32 threads and its shfl_down
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void warp_sums(int *sums, const int *v)
{
	auto warp = cg::tiled_partition<32>(cg::this_thread_block());
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int sum = v[i];
	for (int d = warp.size() / 2; d > 0; d >>= 1)
		sum += warp.shfl_down(sum, d);
	if (warp.thread_rank() == 0)
		sums[i / 32] = sum;
}
