// a tile of 32 and its xor shuffles
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void warp_sums(int *sums, const int *v)
{
	auto tile = cg::tiled_partition<32>(cg::this_thread_block());
	size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
	int sum = v[i];
#pragma unroll
	for (int d = 1; d < tile.size(); d <<= 1) sum += tile.shfl_xor(sum, d);
	if (tile.thread_rank() == 7) sums[i / 32] = sum;
}
