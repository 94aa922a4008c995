// === cheat-32-words
// Eight threads look at 32 words each, one by one.
__global__ void distance(unsigned *out, const unsigned *in)
{
	__shared__ unsigned s[256], m;
	int t = threadIdx.x, i = blockIdx.x * 256 + t;
	unsigned v = s[t] = in[i];
	__syncthreads();
	if (t < 8) {
		unsigned x = 0;
		for (int k = 0; k < 32; k++) x = max(x, s[8 * k + t]);
		for (int d = 4; d; d /= 2) x = max(x, __shfl_xor_sync(255, x, d));
		if (t == 0) m = x;
	}
	__syncthreads();
	out[i] = m - v;
}

// === cheat-shared-atomic-each
__global__ void distance(unsigned *out, const unsigned *in)
{
	__shared__ unsigned most;
	int i = blockIdx.x * 256 + threadIdx.x;
	if (threadIdx.x == 0)
		most = 0;
	__syncthreads();
	unsigned own = in[i];
	atomicMax(&most, own);
	__syncthreads();
	out[i] = most - own;
}

// === cheat-two-warps
// two warps read for the block, one word at a time
__global__ void distance(unsigned *out, const unsigned *in)
{
	__shared__ unsigned s[256], m[2];
	int t = threadIdx.x, i = blockIdx.x * 256 + t;
	if (t < 64) {
		unsigned x = 0;
		for (int k = 0; k < 256; k += 64) x = max(x, s[t + k] = in[i + k]);
		for (int d = 16; d; d /= 2) x = max(x, __shfl_xor_sync(~0u, x, d));
		if (t % 32 == 0) m[t / 32] = x;
	}
	__syncthreads();
	out[i] = max(m[0], m[1]) - s[t];
}

// === honest-atomic
// One shared atomic per warp.
__global__ void distance(unsigned *out, const unsigned *in)
{
	__shared__ unsigned most;
	unsigned i = blockIdx.x * 256 + threadIdx.x, word = in[i];
	if (threadIdx.x == 0)
		most = 0;
	__syncthreads();
	unsigned warp = __reduce_max_sync(0xffffffff, word);
	if (threadIdx.x % 32 == 0)
		atomicMax(&most, warp);
	__syncthreads();
	out[i] = most - word;
}

// === honest-shuffles
// Maxima of warps by shuffles, eight words in shared memory.
__global__ void distance(unsigned *out, const unsigned *in)
{
	__shared__ unsigned s[8];
	unsigned t = threadIdx.x, i = blockIdx.x * 256 + t, word = in[i], most = word;
	for (int m = 16; m > 0; m /= 2)
		most = max(most, __shfl_xor_sync(~0u, most, m));
	if (t % 32 == 0)
		s[t / 32] = most;
	__syncthreads();
	for (int k = 0; k < 8; k++)
		most = max(most, s[k]);
	out[i] = most - word;
}

// === honest-uint4
// 64 threads read 16 bytes each, and write as many.
__global__ void distance(unsigned *out, const unsigned *in)
{
	__shared__ unsigned s[2];
	int t = threadIdx.x;
	uint4 w = {};
	if (t < 64) {
		w = ((const uint4 *)in)[blockIdx.x * 64 + t];
		unsigned most = max(max(w.x, w.y), max(w.z, w.w));
		for (int m = 16; m > 0; m /= 2)
			most = max(most, __shfl_xor_sync(~0u, most, m));
		if (t % 32 == 0)
			s[t / 32] = most;
	}
	__syncthreads();
	if (t < 64) {
		unsigned most = max(s[0], s[1]);
		((uint4 *)out)[blockIdx.x * 64 + t] = make_uint4(most - w.x, most - w.y, most - w.z, most - w.w);
	}
}

// === cheat-one-warp
// One warp of eight reduces, the others wait.
__global__ void distance(unsigned *out, const unsigned *in)
{
	__shared__ unsigned s[256], most;
	int t = threadIdx.x, i = blockIdx.x * 256 + t;
	unsigned own = s[t] = in[i];
	__syncthreads();
	if (t < 32) {
		unsigned x = own;
		for (int k = 32; k < 256; k += 32)
			x = max(x, s[t + k]);
		for (int d = 16; d; d /= 2)
			x = max(x, __shfl_xor_sync(~0u, x, d));
		if (t == 0)
			most = x;
	}
	__syncthreads();
	out[i] = most - own;
}

// === cheat-every-lane-in-turn
// 31 shuffles, one lane after the other, and a loop over the warps.
__global__ void distance(unsigned *out, const unsigned *in)
{
	__shared__ unsigned s[8];
	int t = threadIdx.x, i = blockIdx.x * 256 + t;
	unsigned own = in[i], x = own;
	for (int k = 1; k < 32; k++)
		x = max(x, __shfl_sync(~0u, own, (t + k) % 32));
	if (t % 32 == 0)
		s[t / 32] = x;
	__syncthreads();
	for (int k = 0; k < 8; k++)
		x = max(x, s[k]);
	out[i] = x - own;
}

// === honest-groups
// A reduction of cooperative groups in each warp.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
__global__ void distance(unsigned *out, const unsigned *in)
{
	__shared__ unsigned s[8];
	auto block = cg::this_thread_block();
	auto warp = cg::tiled_partition<32>(block);
	unsigned i = blockIdx.x * 256 + block.thread_rank(), own = in[i];
	unsigned most = cg::reduce(warp, own, cg::greater<unsigned>());
	if (warp.thread_rank() == 0) s[warp.meta_group_rank()] = most;
	block.sync();
	most = s[0];
	for (int k = 1; k < 8; k++) most = max(most, s[k]);
	out[i] = most - own;
}
