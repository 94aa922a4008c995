// Clusters of blocks, on sm_90 alone.
#include <cooperative_groups.h>
#include <cuda/ptx>
namespace cg = cooperative_groups;
__global__ void __cluster_dims__(2, 1, 1) by_groups(int *out, float *f)
{
	__shared__ int s[64];
	__shared__ float t[64];
	auto c = cg::this_cluster();
	s[threadIdx.x] = threadIdx.x + c.block_rank();
	c.sync();
	int *r = c.map_shared_rank(s, c.block_rank() ^ 1);
	out[threadIdx.x] = r[threadIdx.x];
	r[threadIdx.x] = 1;
	atomicAdd(&r[1], 5);
	atomicCAS(&r[2], 1, 2);
	atomicAdd(c.map_shared_rank(t, 0), 1.5f);
	out[64] = c.query_shared_rank(r) + c.num_blocks() + c.num_threads() + c.thread_rank();
	out[65] = c.dim_blocks().x + c.block_index().y + c.dim_threads().z + c.thread_index().x;
	auto token = c.barrier_arrive();
	c.barrier_wait(static_cast<decltype(token) &&>(token));
	f[threadIdx.x] = t[threadIdx.x];
}
__global__ void by_builtins(int *out)
{
	__shared__ int s[4];
	s[threadIdx.x % 4] = 0;
	__cluster_barrier_arrive_relaxed();
	__cluster_barrier_wait();
	out[0] = *(int *)__cluster_map_shared_rank(s, 0) + __cluster_query_shared_rank(s);
	out[1] = __clusterDim().x + __clusterGridDimInClusters().y + __clusterIdx().z + __clusterRelativeBlockIdx().x;
	out[2] = __clusterRelativeBlockRank() + __clusterSizeInBlocks();
	__cluster_barrier_arrive();
	__cluster_barrier_wait();
}
__global__ void by_ptx(int *out)
{
	__shared__ alignas(16) int s[8];
	__shared__ unsigned long long bar;
	cuda::ptx::mbarrier_init(&bar, 1);
	cuda::ptx::fence_mbarrier_init(cuda::ptx::sem_release, cuda::ptx::scope_cluster);
	cuda::ptx::barrier_cluster_arrive();
	cuda::ptx::barrier_cluster_wait();
	unsigned long long *there = (unsigned long long *)__cluster_map_shared_rank(&bar, 0);
	cuda::ptx::mbarrier_arrive(cuda::ptx::sem_release, cuda::ptx::scope_cluster, cuda::ptx::space_cluster, there, 1u);
	while (!cuda::ptx::mbarrier_try_wait_parity(&bar, 0u)) {
	}
	out[0] = s[0] + cuda::ptx::getctarank(cuda::ptx::space_cluster, there);
}
