// === cheat-eight-threads
// Eight threads look at 32 words each.
__global__ void largest(int *most, const int *v)
{
	__shared__ int s[256];
	unsigned t = threadIdx.x;
	s[t] = v[blockIdx.x * 256 + t];
	__syncthreads();
	if (t < 8) {
		int m = s[t];
		for (int k = 8; k < 256; k += 8) m = max(m, s[k + t]);
		for (int d = 4; d; d /= 2) m = max(m, __shfl_xor_sync(255, m, d));
		if (t == 0) most[blockIdx.x] = m;
	}
}

// === cheat-one-thread-of-32
__global__ void largest(int *most, const int *v)
{
	__shared__ int s[256];
	unsigned tid = threadIdx.x;
	s[tid] = v[blockIdx.x * 256 + tid];
	__syncthreads();
	if (tid < 32) {
		int m = s[tid];
		for (int k = 1; k < 8; k++)
			m = max(m, s[tid + 32 * k]);
		s[tid] = m;
	}
	__syncthreads();
	if (tid == 0) {
		int m = s[0];
		for (int k = 1; k < 32; k++)
			m = max(m, s[k]);
		most[blockIdx.x] = m;
	}
}

// === cheat-strided-words
// No modulo and whole warps, but with a stride: bank conflicts.
__global__ void largest(int *most, const int *v)
{
	__shared__ int s[256];
	unsigned tid = threadIdx.x;
	s[tid] = v[blockIdx.x * 256 + tid];
	__syncthreads();
	for (unsigned d = 1; d < 256; d *= 2) {
		unsigned i = 2 * d * tid;
		if (i < 256)
			s[i] = max(s[i], s[i + d]);
		__syncthreads();
	}
	if (tid == 0)
		most[blockIdx.x] = s[0];
}

// === honest-atomic
// One shared atomic per warp.
__global__ void largest(int *most, const int *v)
{
	__shared__ int s;
	int x = v[blockIdx.x * 256 + threadIdx.x];
	if (threadIdx.x == 0)
		s = x;
	for (int m = 16; m > 0; m /= 2)
		x = max(x, __shfl_xor_sync(~0u, x, m));
	__syncthreads();
	if (threadIdx.x % 32 == 0)
		atomicMax(&s, x);
	__syncthreads();
	if (threadIdx.x == 0)
		most[blockIdx.x] = s;
}

// === honest-if-register
// the thread keeps its maximum in a register and stores it if it grew
__global__ void largest(int *most, const int *v)
{
	__shared__ int s[256];
	unsigned t = threadIdx.x;
	int m = v[blockIdx.x * 256 + t];
	s[t] = m;
	__syncthreads();
	for (unsigned d = 128; d; d >>= 1) {
		if (t < d) {
			int o = s[t + d];
			if (o > m) { m = o; s[t] = m; }
		}
		__syncthreads();
	}
	if (t == 0) most[blockIdx.x] = m;
}

// === honest-shuffles
// Shuffles in each warp, eight words, shuffles in the first warp.
__global__ void largest(int *most, const int *v)
{
	__shared__ int s[8];
	int tid = threadIdx.x, x = v[blockIdx.x * 256 + tid];
	for (int d = 16; d > 0; d /= 2)
		x = max(x, __shfl_down_sync(~0u, x, d));
	if (tid % 32 == 0)
		s[tid / 32] = x;
	__syncthreads();
	if (tid < 32) {
		x = s[tid % 8];
		for (int d = 4; d > 0; d /= 2)
			x = max(x, __shfl_down_sync(~0u, x, d));
		if (tid == 0)
			most[blockIdx.x] = x;
	}
}

// === honest-tree-then-warp
// The tree for whole warps, shuffles for the last 32 words.
__global__ void largest(int *most, const int *v)
{
	__shared__ int s[256];
	unsigned tid = threadIdx.x;
	s[tid] = v[blockIdx.x * 256 + tid];
	__syncthreads();
	for (unsigned d = 128; d >= 32; d >>= 1) {
		if (tid < d)
			s[tid] = s[tid] > s[tid + d] ? s[tid] : s[tid + d];
		__syncthreads();
	}
	if (tid < 32) {
		int x = s[tid];
		for (int m = 16; m; m /= 2)
			x = max(x, __shfl_xor_sync(0xffffffff, x, m));
		if (tid == 0)
			most[blockIdx.x] = x;
	}
}

// === cheat-modulo-kept
// The modulo and the scattered words, with a select in place of the branch: all threads work in each step.
__global__ void largest(int *most, const int *v)
{
	__shared__ int s[512];
	unsigned t = threadIdx.x;
	s[t] = v[blockIdx.x * 256 + t];
	s[t + 256] = 0x80000000;
	__syncthreads();
	for (unsigned d = 1; d < 256; d *= 2) {
		int own = s[t], other = s[t + d];
		other = t % (2 * d) == 0 ? other : own;
		__syncthreads();
		s[t] = max(own, other);
		__syncthreads();
	}
	if (t == 0)
		most[blockIdx.x] = s[0];
}

// === cheat-all-threads-in-each-step
__global__ void largest(int *most, const int *v)
{
	__shared__ int s[2][256];
	unsigned t = threadIdx.x, from = 0;
	s[0][t] = v[blockIdx.x * 256 + t];
	for (unsigned d = 128; d > 0; d /= 2, from ^= 1) {
		__syncthreads();
		s[from ^ 1][t] = max(s[from][t], s[from][t ^ d]);
	}
	__syncthreads();
	if (t == 0)
		most[blockIdx.x] = s[0][0];
}

// === honest-cuda-barrier
#include <cuda/barrier>
__global__ void largest(int *most, const int *v)
{
	__shared__ int s[256];
	__shared__ cuda::barrier<cuda::thread_scope_block> bar;
	unsigned t = threadIdx.x;
	if (t == 0)
		init(&bar, 256);
	s[t] = v[blockIdx.x * 256 + t];
	__syncthreads();
	for (unsigned d = 128; d > 0; d /= 2) {
		if (t < d)
			s[t] = max(s[t], s[t + d]);
		bar.arrive_and_wait();
	}
	if (t == 0)
		most[blockIdx.x] = s[0];
}

// === honest-groups
// Cooperative groups: the block's barrier, and a tile for the last 32 words.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void largest(int *most, const int *v)
{
	__shared__ int s[256];
	cg::thread_block block = cg::this_thread_block();
	cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
	unsigned t = block.thread_rank();
	s[t] = v[blockIdx.x * 256 + t];
	block.sync();
	for (unsigned d = 128; d >= 32; d /= 2) {
		if (t < d)
			s[t] = max(s[t], s[t + d]);
		block.sync();
	}
	if (t < 32) {
		int x = s[t];
		for (int d = 16; d > 0; d /= 2)
			x = max(x, warp.shfl_down(x, d));
		if (t == 0)
			most[blockIdx.x] = x;
	}
}

// === cheat-begins-at-zero
// Right if a block has an element that is not negative.
__global__ void largest(int *most, const int *v)
{
	__shared__ int s[256];
	int t = threadIdx.x;
	s[t] = max(v[blockIdx.x * 256 + t], 0);
	for (int d = 128; d; d /= 2) {
		__syncthreads();
		if (t < d)
			s[t] = max(s[t], s[t + d]);
	}
	if (t == 0)
		most[blockIdx.x] = s[0];
}

// === cheat-one-word
// No tree: every thread updates the same word.
__global__ void largest(int *most, const int *v)
{
	__shared__ int word;
	int own = v[blockIdx.x * 256 + threadIdx.x];
	if (threadIdx.x == 0)
		word = 0x80000000;
	__syncthreads();
	atomicMax(&word, own);
	__syncthreads();
	if (threadIdx.x == 0)
		most[blockIdx.x] = word;
}

// === cheat-modulo-in-each-step
// The tree of the solution, with a modulo for the place of the other word.
// - for (unsigned d = THREADS / 2; d > 0; d /= 2) {
// + for (unsigned d = blockDim.x / 2; d > 0; d /= 2) {
// - s[tid + d]
// + s[tid % d + d]
