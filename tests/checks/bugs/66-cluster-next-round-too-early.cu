// @kernel shift
// @grid 2
// @block 32
// @buffer out i32 64 poison
// @arg out
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void __cluster_dims__(2) shift(int *out)
{
	__shared__ int mine[32];
	auto cluster = cg::this_cluster();
	mine[threadIdx.x] = blockIdx.x;
	for (int round = 0; round < 3; round++) {
		cluster.sync();
		const int other = cluster.map_shared_rank(mine, cluster.block_rank() ^ 1)[threadIdx.x]; // @race
		__syncthreads();
		mine[threadIdx.x] = other + 1; // @race
	}
	cluster.sync();
	out[blockIdx.x * 32 + threadIdx.x] = mine[threadIdx.x];
}
