#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
__global__ void warp_sums(int *sums, const int *v)
{
	auto warp = cg::tiled_partition<32>(cg::this_thread_block());
	int i = blockIdx.x * 256 + threadIdx.x;
	int sum = cg::reduce(warp, v[i], cg::plus<int>());
	if (warp.thread_rank() == 0)
		sums[i / 32] = sum;
}
