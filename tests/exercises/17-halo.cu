// === honest-stores
// Each block stores its border elements into the neighbors.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void __cluster_dims__(4) halo(int *out, const int *in)
{
	__shared__ int part[258];
	auto cluster = cg::this_cluster();
	int t = threadIdx.x, rank = cluster.block_rank(), i = blockIdx.x * 256 + t;
	int x = in[i];
	part[t + 1] = x;
	if (t == 0 && rank == 0)
		part[0] = 0;
	if (t == 255 && rank == 3)
		part[257] = 0;
	cluster.sync();
	if (t == 0 && rank > 0)
		cluster.map_shared_rank(part, rank - 1)[257] = x;
	if (t == 255 && rank < 3)
		*cluster.map_shared_rank(part, rank + 1) = x;
	cluster.sync();
	out[i] = part[t] + x + part[t + 2];
}

// === honest-early-arrival
// Arrives when it has read, and waits at the end.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void __cluster_dims__(4) halo(int *out, const int *in)
{
	__shared__ int part[256];
	auto cluster = cg::this_cluster();
	int t = threadIdx.x, rank = cluster.block_rank(), i = blockIdx.x * 256 + t;
	part[t] = in[i];
	cluster.sync();
	int left = 0, right = 0;
	if (t == 0 && rank > 0)
		left = cluster.map_shared_rank(part, rank - 1)[255];
	if (t == 255 && rank < 3)
		right = cluster.map_shared_rank(part, rank + 1)[0];
	auto token = cluster.barrier_arrive();
	if (t > 0)
		left = part[t - 1];
	if (t < 255)
		right = part[t + 1];
	out[i] = left + part[t] + right;
	cluster.barrier_wait(static_cast<decltype(token) &&>(token));
}

// === honest-padded
// The halo is in two words of the own array before all threads use it.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void __cluster_dims__(4) halo(int *out, const int *in)
{
	__shared__ int part[258];
	auto cluster = cg::this_cluster();
	int t = threadIdx.x, rank = cluster.block_rank(), i = blockIdx.x * 256 + t;
	part[t + 1] = in[i];
	cluster.sync();
	if (t == 0)
		part[0] = rank > 0 ? cluster.map_shared_rank(part, rank - 1)[256] : 0;
	if (t == 32)
		part[257] = rank < 3 ? cluster.map_shared_rank(part, rank + 1)[1] : 0;
	cluster.sync();
	out[i] = part[t] + part[t + 1] + part[t + 2];
}

// === honest-ptx
// The PTX instructions of clusters, and shuffles within a warp.
__device__ int remote(const int *p, unsigned rank)
{
	unsigned at;
	int x;
	asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(at) : "r"((unsigned)__cvta_generic_to_shared(p)), "r"(rank));
	asm volatile("ld.shared::cluster.s32 %0, [%1];" : "=r"(x) : "r"(at) : "memory");
	return x;
}
__global__ void __cluster_dims__(4) halo(int *out, const int *in)
{
	__shared__ int ends[8][2];
	int t = threadIdx.x, lane = t % 32, warp = t / 32, i = blockIdx.x * 256 + t, x = in[i];
	unsigned rank;
	asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
	int left = __shfl_up_sync(0xffffffff, x, 1), right = __shfl_down_sync(0xffffffff, x, 1);
	if (lane == 0)
		ends[warp][0] = x;
	if (lane == 31)
		ends[warp][1] = x;
	asm volatile("barrier.cluster.arrive; barrier.cluster.wait;" ::: "memory");
	if (lane == 0)
		left = warp > 0 ? ends[warp - 1][1] : rank > 0 ? remote(&ends[7][1], rank - 1) : 0;
	if (lane == 31)
		right = warp < 7 ? ends[warp + 1][0] : rank < 3 ? remote(&ends[0][0], rank + 1) : 0;
	out[i] = left + x + right;
	asm volatile("barrier.cluster.arrive; barrier.cluster.wait;" ::: "memory");
}

// === cheat-three-loads
// Three loads per thread, no shared memory.
__global__ void __cluster_dims__(4) halo(int *out, const int *in)
{
	int i = blockIdx.x * 256 + threadIdx.x, k = i % 1024;
	out[i] = (k > 0 ? in[i - 1] : 0) + in[i] + (k < 1023 ? in[i + 1] : 0);
}

// === cheat-volatile-loads
// The border elements by volatile loads from global memory.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void __cluster_dims__(4) halo(int *out, const int *in)
{
	__shared__ int part[256];
	auto cluster = cg::this_cluster();
	int t = threadIdx.x, rank = cluster.block_rank(), i = blockIdx.x * 256 + t;
	part[t] = in[i];
	cluster.sync();
	int left = t > 0 ? part[t - 1] : rank > 0 ? ((volatile const int *)in)[i - 1] : 0;
	int right = t < 255 ? part[t + 1] : rank < 3 ? ((volatile const int *)in)[i + 1] : 0;
	out[i] = left + part[t] + right;
}

// === cheat-atomic
// The border elements by atomics on the input.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void __cluster_dims__(4) halo(int *out, const int *in)
{
	__shared__ int part[256];
	auto cluster = cg::this_cluster();
	int t = threadIdx.x, rank = cluster.block_rank(), i = blockIdx.x * 256 + t;
	part[t] = in[i];
	__syncthreads();
	int left = t > 0 ? part[t - 1] : rank > 0 ? atomicAdd((int *)in + i - 1, 0) : 0;
	int right = t < 255 ? part[t + 1] : rank < 3 ? atomicAdd((int *)in + i + 1, 0) : 0;
	out[i] = left + part[t] + right;
}

// === cheat-through-output
// The border elements go through the output.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void __cluster_dims__(4) halo(int *out, const int *in)
{
	__shared__ int part[256];
	auto cluster = cg::this_cluster();
	int t = threadIdx.x, rank = cluster.block_rank(), i = blockIdx.x * 256 + t;
	int x = part[t] = in[i];
	out[i] = x;
	__threadfence();
	cluster.sync();
	int left = t > 0 ? part[t - 1] : rank > 0 ? ((volatile int *)out)[i - 1] : 0;
	int right = t < 255 ? part[t + 1] : rank < 3 ? ((volatile int *)out)[i + 1] : 0;
	cluster.sync();
	out[i] = left + x + right;
}

// === cheat-wide-load
// Every fourth thread loads four elements, and the borders besides.
__global__ void __cluster_dims__(4) halo(int *out, const int *in)
{
	__shared__ int part[258];
	int t = threadIdx.x, i = blockIdx.x * 256 + t, rank = blockIdx.x % 4;
	if (t < 64) {
		int4 x = ((const int4 *)in)[blockIdx.x * 64 + t];
		part[4 * t + 1] = x.x, part[4 * t + 2] = x.y, part[4 * t + 3] = x.z, part[4 * t + 4] = x.w;
	} else if (t == 64) {
		part[0] = rank > 0 ? in[blockIdx.x * 256 - 1] : 0;
	} else if (t == 96) {
		part[257] = rank < 3 ? in[blockIdx.x * 256 + 256] : 0;
	}
	__syncthreads();
	out[i] = part[t] + part[t + 1] + part[t + 2];
}

// === cheat-other-warp-loads
// A warp that is idle otherwise loads the border elements.
__global__ void __cluster_dims__(4) halo(int *out, const int *in)
{
	__shared__ int part[258];
	int t = threadIdx.x, i = blockIdx.x * 256 + t, rank = blockIdx.x % 4;
	if (t >= 32) {
		part[t + 1] = in[i];
	} else {
		int at = blockIdx.x * 256;
		if (t == 30 || t == 31)
			part[t == 30 ? 0 : 257] = t == 30 ? (rank > 0 ? in[at - 1] : 0) : (rank < 3 ? in[at + 256] : 0);
		part[t + 1] = in[i];
	}
	__syncthreads();
	out[i] = part[t] + part[t + 1] + part[t + 2];
}

// === cheat-border-is-zero
// No neighbor at all: the border of a block counts as that of the 1024.
__global__ void __cluster_dims__(4) halo(int *out, const int *in)
{
	__shared__ int part[256];
	int t = threadIdx.x, i = blockIdx.x * 256 + t;
	part[t] = in[i];
	__syncthreads();
	out[i] = (t > 0 ? part[t - 1] : 0) + part[t] + (t < 255 ? part[t + 1] : 0);
}

// === cheat-texture-path
// The border elements through the read-only path.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void __cluster_dims__(4) halo(int *out, const int *in)
{
	__shared__ int part[256];
	auto cluster = cg::this_cluster();
	int t = threadIdx.x, rank = cluster.block_rank(), i = blockIdx.x * 256 + t;
	part[t] = __ldg(in + i);
	__syncthreads();
	int left = t > 0 ? part[t - 1] : rank > 0 ? __ldg(in + i - 1) : 0;
	int right = t < 255 ? part[t + 1] : rank < 3 ? __ldg(in + i + 1) : 0;
	out[i] = left + part[t] + right;
}

// === mutant-no-last-sync
// A block may end while its neighbor reads.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void __cluster_dims__(4) halo(int *out, const int *in)
{
	__shared__ int part[256];
	auto cluster = cg::this_cluster();
	int t = threadIdx.x, rank = cluster.block_rank(), i = blockIdx.x * 256 + t;
	part[t] = in[i];
	cluster.sync();
	int left = t > 0 ? part[t - 1] : rank > 0 ? cluster.map_shared_rank(part, rank - 1)[255] : 0;
	int right = t < 255 ? part[t + 1] : rank < 3 ? cluster.map_shared_rank(part, rank + 1)[0] : 0;
	out[i] = left + part[t] + right;
}

// === mutant-block-barrier
// A barrier of the block between the stores and the reads of other blocks.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void __cluster_dims__(4) halo(int *out, const int *in)
{
	__shared__ int part[256];
	auto cluster = cg::this_cluster();
	int t = threadIdx.x, rank = cluster.block_rank(), i = blockIdx.x * 256 + t;
	part[t] = in[i];
	__syncthreads();
	int left = t > 0 ? part[t - 1] : rank > 0 ? cluster.map_shared_rank(part, rank - 1)[255] : 0;
	int right = t < 255 ? part[t + 1] : rank < 3 ? cluster.map_shared_rank(part, rank + 1)[0] : 0;
	out[i] = left + part[t] + right;
	cluster.sync();
}

// === cheat-four-per-thread
// A quarter of the threads loads four elements each.
// - __shared__
// + __shared__ alignas(16)
// - part[tid] = in[i];
// + if (tid < THREADS / 4) ((int4 *)part)[tid] = ((const int4 *)(in + blockIdx.x * THREADS))[tid];

// === cheat-atomics-alone
// All reads are atomic, so that nothing races with those of the neighbors' elements.
#include <cooperative_groups.h>
#include <cuda/atomic>
namespace cg = cooperative_groups;
constexpr int THREADS = 256, BLOCKS = 4;
__global__ void __cluster_dims__(BLOCKS) halo(int *out, const int *in)
{
	__shared__ int part[THREADS];
	auto cluster = cg::this_cluster();
	int tid = threadIdx.x, rank = cluster.block_rank();
	int i = blockIdx.x * THREADS + tid;
	int *from = (int *)in;
	part[tid] = cuda::atomic_ref<int, cuda::thread_scope_device>(from[i]).load(cuda::memory_order_relaxed);
	__syncthreads();
	int left = 0, right = 0;
	if (tid > 0)
		left = part[tid - 1];
	else if (rank > 0)
		left = atomicAdd(&from[i - 1], 0);
	if (tid + 1 < THREADS)
		right = part[tid + 1];
	else if (rank + 1 < BLOCKS)
		right = atomicAdd(&from[i + 1], 0);
	out[i] = left + part[tid] + right;
}
