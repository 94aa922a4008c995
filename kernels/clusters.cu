// Clusters: blocks that run at the same time on the SMs of one GPC and read each
// other's shared memory. Needs compute capability 9.0.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

constexpr int THREADS = 256, BLOCKS = 4; // per block; per cluster

// Each block leaves 256 elements in shared memory and reverses those of a cluster:
// it writes what it reads in the opposite block.
template <bool STAYS>
__global__ void __cluster_dims__(BLOCKS) reversed(int *out, const int *in)
{
	__shared__ int part[THREADS];
	auto cluster = cg::this_cluster();
	size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x;
	part[threadIdx.x] = in[i];
	cluster.sync();
	unsigned opposite = BLOCKS - 1 - cluster.block_rank();
	out[i] = cluster.map_shared_rank(part, opposite)[THREADS - 1 - threadIdx.x];
	if (STAYS)
		cluster.sync(); // until the others have read this block's part
}

constexpr int WORDS = 2048; // of the chain

// A pointer chase by one thread, in its own block's shared memory or in that of
// the next block of the cluster.
template <bool REMOTE>
__global__ void __cluster_dims__(2) chase(unsigned *out, const unsigned *next, int steps)
{
	__shared__ unsigned words[WORDS];
	auto cluster = cg::this_cluster();
	for (int i = threadIdx.x; i < WORDS; i += blockDim.x)
		words[i] = next[i];
	cluster.sync();
	if (cluster.block_rank() == 0 && threadIdx.x == 0) {
		const unsigned *chain = REMOTE ? cluster.map_shared_rank(words, 1) : words;
		unsigned at = 0;
#pragma unroll 8
		for (int i = 0; i < steps; i++)
			at = chain[at];
		*out = at;
	}
	cluster.sync();
}
