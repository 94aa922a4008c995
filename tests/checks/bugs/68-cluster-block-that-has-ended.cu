// @kernel late
// @grid 2
// @block 32
// @buffer out i32 32 poison
// @arg out
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void __cluster_dims__(2) late(int *out)
{
	__shared__ volatile int mine[32];
	auto cluster = cg::this_cluster();
	mine[threadIdx.x] = threadIdx.x;
	cluster.sync();
	if (cluster.block_rank() == 1)
		return;
	for (int i = 0; i < 10000; i++)
		mine[threadIdx.x] = i;
	out[threadIdx.x] = cluster.map_shared_rank((int *)mine, 1)[threadIdx.x]; // @memory
}
