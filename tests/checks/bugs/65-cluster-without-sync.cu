// @kernel rotate
// @grid 4
// @block 32
// @buffer out i32 128 poison
// @arg out
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void __cluster_dims__(2) rotate(int *out)
{
	__shared__ int mine[32];
	auto cluster = cg::this_cluster();
	mine[threadIdx.x] = 0;
	cluster.sync();
	mine[threadIdx.x] = threadIdx.x;
	__syncthreads();
	out[blockIdx.x * 32 + threadIdx.x] = cluster.map_shared_rank(mine, cluster.block_rank() ^ 1)[threadIdx.x]; // @race
	cluster.sync();
}
