// @kernel rotate
// @grid 4 3
// @block 40
// @buffer out i32 480 poison
// @arg out
// @expect out (i / 80 * 2 + (1 - i / 40 % 2)) * 1000 + i % 40
/* Each block takes over what the other block of its cluster left in shared memory. */
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void __cluster_dims__(2, 1, 1) rotate(int *out)
{
	__shared__ int mine[40];
	const unsigned block = blockIdx.y * gridDim.x + blockIdx.x;
	auto cluster = cg::this_cluster();
	mine[threadIdx.x] = block * 1000 + threadIdx.x;
	cluster.sync();
	out[block * 40 + threadIdx.x] = cluster.map_shared_rank(mine, cluster.block_rank() ^ 1)[threadIdx.x];
	cluster.sync();
}
