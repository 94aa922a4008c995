// @kernel sums
// @grid 16
// @block 32
// @buffer out i32 16 poison
// @arg out
// @expect out 8 * (i / 8 * 8) + 28
/* Blocks arrive, do something of their own, and wait; the first one's sum goes to all by way of its shared memory. */
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void __cluster_dims__(8) sums(int *out)
{
	__shared__ int mine, sum;
	auto cluster = cg::this_cluster();
	if (threadIdx.x == 0)
		mine = blockIdx.x;
	auto token = cluster.barrier_arrive();
	int part = 0;
	if (cluster.block_rank() == 0 && threadIdx.x == 0)
		sum = part;
	cluster.barrier_wait(static_cast<decltype(token) &&>(token));
	if (cluster.block_rank() == 0 && threadIdx.x < cluster.num_blocks())
		part = *cluster.map_shared_rank(&mine, threadIdx.x);
	for (int step = 16; step; step /= 2)
		part += __shfl_down_sync(~0u, part, step);
	if (cluster.block_rank() == 0 && threadIdx.x == 0)
		sum = part;
	cluster.sync();
	if (threadIdx.x == 0)
		out[blockIdx.x] = *cluster.map_shared_rank(&sum, 0);
	cluster.sync();
}
