// === honest-shuffles
// A scan of 0 and 1 by shuffles.
__global__ void compact(int *out, const int *in, int limit, int n)
{
	__shared__ int counts[8];
	int t = threadIdx.x, i = blockIdx.x * 256 + t, x = i < n ? in[i] : limit, keep = x > limit, sum = keep;
	for (int d = 1; d < 32; d *= 2) {
		int other = __shfl_up_sync(0xffffffff, sum, d);
		if (t % 32 >= d)
			sum += other;
	}
	if (t % 32 == 31)
		counts[t / 32] = sum;
	__syncthreads();
	int before = 0, all = 0;
	for (int w = 0; w < 8; w++) {
		before += w < t / 32 ? counts[w] : 0;
		all += counts[w];
	}
	if (keep)
		out[257 * blockIdx.x + before + sum] = x;
	if (t == 0)
		out[257 * blockIdx.x] = all;
}

// === honest-count-by-barrier
// The barrier counts all of the block; votes give the places.
__global__ void compact(int *out, const int *in, int limit, int n)
{
	__shared__ unsigned votes[8];
	int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, x = 0;
	bool keep = false;
	if (i < n) {
		x = in[i];
		keep = x > limit;
	}
	unsigned own = __ballot_sync(~0u, keep);
	if ((t & 31) == 0)
		votes[t >> 5] = own;
	int all = __syncthreads_count(keep);
	int place = 1 + __popc(own & ~(~0u << (t & 31)));
	for (int w = 0; w < t >> 5; w++)
		place += __popc(votes[w]);
	if (keep)
		out[257 * blockIdx.x + place] = x;
	if (t == 255)
		out[257 * blockIdx.x] = all;
}

// === honest-staged
// The kept elements are collected in shared memory and stored by consecutive threads.
__global__ void compact(int *out, const int *in, int limit, int n)
{
	__shared__ int counts[8], kept[256];
	int t = threadIdx.x, warp = t / 32, i = blockIdx.x * 256 + t;
	int x = i < n ? in[i] : limit;
	unsigned votes = __ballot_sync(0xffffffff, x > limit);
	if (t % 32 == 0)
		counts[warp] = __popc(votes);
	__syncthreads();
	int place = __popc(votes & ((1u << t % 32) - 1)), all = 0;
#pragma unroll
	for (int w = 0; w < 8; w++) {
		if (w < warp)
			place += counts[w];
		all += counts[w];
	}
	if (x > limit)
		kept[place] = x;
	__syncthreads();
	if (t < all)
		out[257 * blockIdx.x + 1 + t] = kept[t];
	if (t == 0)
		out[257 * blockIdx.x] = all;
}

// === honest-warp-scans-counts
// The first warp scans the counts of the warps.
__global__ void compact(int *out, const int *in, int limit, int n)
{
	__shared__ int counts[8];
	int t = threadIdx.x, i = blockIdx.x * 256 + t;
	int x = i < n ? in[i] : limit;
	unsigned votes = __ballot_sync(0xffffffff, x > limit);
	if (t % 32 == 0)
		counts[t / 32] = __popc(votes);
	__syncthreads();
	if (t < 8) {
		int own = counts[t], sum = own;
		for (int d = 1; d < 8; d *= 2) {
			int other = __shfl_up_sync(255, sum, d);
			if (t >= d)
				sum += other;
		}
		counts[t] = sum - own;
		if (t == 7)
			out[257 * blockIdx.x] = sum;
	}
	__syncthreads();
	if (x > limit)
		out[257 * blockIdx.x + 1 + counts[t / 32] + __popc(votes & ((1u << t % 32) - 1))] = x;
}

// === cheat-one-thread
// Thread 0 collects the block's elements.
__global__ void compact(int *out, const int *in, int limit, int n)
{
	if (threadIdx.x)
		return;
	int count = 0;
	for (int i = 256 * blockIdx.x; i < 256 * blockIdx.x + 256 && i < n; i++)
		if (in[i] > limit)
			out[257 * blockIdx.x + ++count] = in[i];
	out[257 * blockIdx.x] = count;
}

// === cheat-one-lane
// Lane 0 of each warp, after a barrier, takes places one after the other.
__global__ void compact(int *out, const int *in, int limit, int n)
{
	__shared__ int words[256], counts[8];
	int t = threadIdx.x, i = blockIdx.x * 256 + t;
	words[t] = i < n ? in[i] : limit;
	__syncwarp();
	if (t % 32 == 0) {
		int c = 0;
		for (int k = t; k < t + 32; k++)
			c += words[k] > limit;
		counts[t / 32] = c;
	}
	__syncthreads();
	if (t % 32 == 0) {
		int place = 257 * blockIdx.x;
		for (int w = 0; w < t / 32; w++)
			place += counts[w];
		for (int k = t; k < t + 32; k++)
			if (words[k] > limit)
				out[++place] = words[k];
		if (t == 224)
			out[257 * blockIdx.x] = place - 257 * blockIdx.x;
	}
}

// === cheat-count-before
// Each thread counts the elements before its own in shared memory.
__global__ void compact(int *out, const int *in, int limit, int n)
{
	__shared__ int words[256];
	int t = threadIdx.x, i = blockIdx.x * 256 + t, place = 1;
	words[t] = i < n ? in[i] : limit;
	__syncthreads();
	for (int k = 0; k < t; k++)
		place += words[k] > limit;
	if (words[t] > limit)
		out[257 * blockIdx.x + place] = words[t];
	if (t == 255)
		out[257 * blockIdx.x] = place - (words[t] <= limit);
}

// === cheat-ordered-atomics
// Warps take turns at the counter, so that the order is right, with atomics.
__global__ void compact(int *out, const int *in, int limit, int n)
{
	__shared__ int count;
	int t = threadIdx.x, i = blockIdx.x * 256 + t;
	if (t == 0)
		count = 0;
	int x = i < n ? in[i] : limit;
	unsigned votes = __ballot_sync(0xffffffff, x > limit);
	int first = 0;
	for (int w = 0; w < 8; w++) {
		__syncthreads();
		if (t == 32 * w)
			first = atomicAdd(&count, __popc(votes));
	}
	__syncthreads();
	first = __shfl_sync(0xffffffff, first, 0);
	if (x > limit)
		out[257 * blockIdx.x + 1 + first + __popc(votes & ((1u << t % 32) - 1))] = x;
	if (t == 0)
		out[257 * blockIdx.x] = count;
}

// === cheat-sorted-later
// Places by atomics, then an exchange sort by index.
__global__ void compact(int *out, const int *in, int limit, int n)
{
	__shared__ int count, from[256];
	int t = threadIdx.x, i = blockIdx.x * 256 + t;
	if (t == 0)
		count = 0;
	__syncthreads();
	if (i < n && in[i] > limit)
		from[atomicAdd(&count, 1)] = i;
	__syncthreads();
	if (t < count) {
		int place = 0;
		for (int k = 0; k < count; k++)
			place += from[k] < from[t];
		out[257 * blockIdx.x + 1 + place] = in[from[t]];
	}
	if (t == 0)
		out[257 * blockIdx.x] = count;
}

// === mutant-own-counts
// The mask has the thread's own bit.
__global__ void compact(int *out, const int *in, int limit, int n)
{
	__shared__ int counts[8];
	int t = threadIdx.x, i = blockIdx.x * 256 + t;
	int x = i < n ? in[i] : limit;
	unsigned votes = __ballot_sync(0xffffffff, x > limit);
	if (t % 32 == 0)
		counts[t / 32] = __popc(votes);
	__syncthreads();
	int place = __popc(votes & ((2u << t % 32) - 1)), all = 0;
	for (int w = 0; w < 8; w++) {
		if (w < t / 32)
			place += counts[w];
		all += counts[w];
	}
	if (x > limit)
		out[257 * blockIdx.x + 1 + place] = x;
	if (t == 0)
		out[257 * blockIdx.x] = all;
}

// === honest-warp-scans
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void compact(int *out, const int *in, int limit, int n)
{
	__shared__ int offset[8];
	auto block = cg::this_thread_block();
	auto warp = cg::tiled_partition<32>(block);
	const int i = blockIdx.x * blockDim.x + threadIdx.x;
	int *to = out + 257 * blockIdx.x;
	const bool keep = i < n && in[i] > limit;
	int place = keep;
	for (int d = 1; d < 32; d *= 2) {
		int lower = warp.shfl_up(place, d);
		if (warp.thread_rank() >= d)
			place += lower;
	}
	const int w = warp.meta_group_rank();
	if (warp.thread_rank() == 31)
		offset[w] = place;
	block.sync();
	// The first warp turns the warps' counts into their ends.
	if (w == 0) {
		int count = warp.thread_rank() < 8 ? offset[warp.thread_rank()] : 0;
		for (int d = 1; d < 8; d *= 2) {
			int lower = warp.shfl_up(count, d);
			if (warp.thread_rank() >= d)
				count += lower;
		}
		if (warp.thread_rank() < 8)
			offset[warp.thread_rank()] = count;
	}
	block.sync();
	if (w > 0)
		place += offset[w - 1];
	if (keep)
		to[place] = in[i];
	if (block.thread_rank() == 0)
		*to = offset[7];
}
