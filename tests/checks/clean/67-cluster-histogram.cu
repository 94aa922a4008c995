// @kernel histogram
// @grid 2 4
// @block 64
// @buffer counts i32 128 0
// @buffer data i32 2048 i * 7 % 128
// @arg counts
// @arg data
// @expect counts 16
/* One histogram over the shared memory of four blocks: each counts into whichever block a bin lies in. */
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void __cluster_dims__(2, 2, 1) histogram(int *counts, const int *data)
{
	extern __shared__ int none[];
	__shared__ int bins[32];
	auto cluster = cg::this_cluster();
	const unsigned block = blockIdx.y * gridDim.x + blockIdx.x;
	if (threadIdx.x < 32)
		bins[threadIdx.x] = 0;
	cluster.sync();
	for (int i = threadIdx.x; i < 256; i += 64) {
		const int bin = data[block * 256 + i];
		atomicAdd(cluster.map_shared_rank(bins, bin / 32) + bin % 32, 1);
	}
	cluster.sync();
	if (threadIdx.x < 32)
		atomicAdd(counts + cluster.block_rank() * 32 + threadIdx.x, bins[threadIdx.x]);
}
