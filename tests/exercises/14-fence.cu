// === honest-atomic-ref
// Release and acquire instead of fences.
#include <cuda/atomic>
__device__ int scan_warp(int sum)
{
	for (int d = 1; d < 32; d *= 2) {
		int other = __shfl_up_sync(0xffffffff, sum, d);
		if (threadIdx.x % 32 >= d)
			sum += other;
	}
	return sum;
}

__global__ void scan(int *out, int *sums, int *flags,
	unsigned *ticket, const int *in)
{
	__shared__ int warps[8], before, taken;
	int tid = threadIdx.x;
	if (tid == 0)
		taken = atomicAdd(ticket, 1);
	__syncthreads();
	int tile = taken;
	int sum = scan_warp(in[256 * tile + tid]);
	if (tid % 32 == 31)
		warps[tid / 32] = sum;
	__syncthreads();
	int all = 0;
	for (int w = 0; w < 8; w++) {
		if (w < tid / 32)
			sum += warps[w];
		all += warps[w];
	}
	if (tid == 0) {
		before = 0;
		if (tile > 0) {
			cuda::atomic_ref<int, cuda::thread_scope_device> flag(flags[tile - 1]);
			while (flag.load(cuda::memory_order_acquire) == 0)
				;
			before = sums[tile - 1];
		}
		sums[tile] = before + all;
		cuda::atomic_ref<int, cuda::thread_scope_device>(flags[tile]).store(1, cuda::memory_order_release);
	}
	__syncthreads();
	out[256 * tile + tid] = sum + before;
}

// === honest-early-ticket
// The thread that took the tile keeps it; the last warp waits while the others scan.
__device__ int scan_warp(int sum)
{
	for (int d = 1; d < 32; d *= 2) {
		int other = __shfl_up_sync(0xffffffff, sum, d);
		if (threadIdx.x % 32 >= d)
			sum += other;
	}
	return sum;
}

__global__ void scan(int *out, int *sums, volatile int *flags,
	unsigned *ticket, const int *in)
{
	__shared__ int warps[8], before, taken;
	int tid = threadIdx.x;
	if (tid == 0)
		taken = atomicAdd(ticket, 1);
	__syncthreads();
	int tile = taken;
	int sum = scan_warp(in[256 * tile + tid]);
	if (tid % 32 == 31)
		warps[tid / 32] = sum;
	__syncthreads();
	int all = 0;
	for (int w = 0; w < 8; w++) {
		if (w < tid / 32)
			sum += warps[w];
		all += warps[w];
	}
	if (tid == 255) {
		before = 0;
		if (tile > 0) {
			while (flags[tile - 1] == 0)
				;
			__threadfence();
			before = sums[tile - 1];
		}
		sums[tile] = before + all;
		__threadfence();
		flags[tile] = 1;
	}
	__syncthreads();
	out[256 * tile + tid] = sum + before;
}

// === honest-all-fence
// Every thread fences, outside the condition.
__device__ int scan_warp(int sum)
{
	for (int d = 1; d < 32; d *= 2) {
		int other = __shfl_up_sync(0xffffffff, sum, d);
		if (threadIdx.x % 32 >= d)
			sum += other;
	}
	return sum;
}

__global__ void scan(int *out, int *sums, volatile int *flags,
	unsigned *ticket, const int *in)
{
	__shared__ int warps[8], before, taken;
	int tid = threadIdx.x;
	if (tid == 0)
		taken = atomicAdd(ticket, 1);
	__syncthreads();
	int tile = taken;
	int sum = scan_warp(in[256 * tile + tid]);
	if (tid % 32 == 31)
		warps[tid / 32] = sum;
	__syncthreads();
	int all = 0;
	for (int w = 0; w < 8; w++) {
		if (w < tid / 32)
			sum += warps[w];
		all += warps[w];
	}
	if (tid == 0) {
		before = 0;
		if (tile > 0) {
			while (flags[tile - 1] == 0)
				;
			__threadfence();
			before = sums[tile - 1];
		}
		sums[tile] = before + all;
	}
	__threadfence();
	if (tid == 0)
		flags[tile] = 1;
	__syncthreads();
	out[256 * tile + tid] = sum + before;
}

// === cheat-no-ticket
// Fences, but tiles by blockIdx.x.
__device__ int scan_warp(int sum)
{
	for (int d = 1; d < 32; d *= 2) {
		int other = __shfl_up_sync(0xffffffff, sum, d);
		if (threadIdx.x % 32 >= d)
			sum += other;
	}
	return sum;
}

__global__ void scan(int *out, int *sums, volatile int *flags,
	unsigned *ticket, const int *in)
{
	__shared__ int warps[8], before, taken;
	int tid = threadIdx.x;
	if (tid == 0)
		taken = blockIdx.x;
	__syncthreads();
	int tile = taken;
	int sum = scan_warp(in[256 * tile + tid]);
	if (tid % 32 == 31)
		warps[tid / 32] = sum;
	__syncthreads();
	int all = 0;
	for (int w = 0; w < 8; w++) {
		if (w < tid / 32)
			sum += warps[w];
		all += warps[w];
	}
	if (tid == 0) {
		before = 0;
		if (tile > 0) {
			while (flags[tile - 1] == 0)
				;
			__threadfence();
			before = sums[tile - 1];
		}
		sums[tile] = before + all;
		__threadfence();
		flags[tile] = 1;
	}
	__syncthreads();
	out[256 * tile + tid] = sum + before;
}

// === cheat-reversed
// Fences, and each block waits for the one that begins after it.
__device__ int scan_warp(int sum)
{
	for (int d = 1; d < 32; d *= 2) {
		int other = __shfl_up_sync(0xffffffff, sum, d);
		if (threadIdx.x % 32 >= d)
			sum += other;
	}
	return sum;
}

__global__ void scan(int *out, int *sums, volatile int *flags,
	unsigned *ticket, const int *in)
{
	__shared__ int warps[8], before, taken;
	int tid = threadIdx.x;
	if (tid == 0)
		taken = gridDim.x - 1 - blockIdx.x;
	__syncthreads();
	int tile = taken;
	int sum = scan_warp(in[256 * tile + tid]);
	if (tid % 32 == 31)
		warps[tid / 32] = sum;
	__syncthreads();
	int all = 0;
	for (int w = 0; w < 8; w++) {
		if (w < tid / 32)
			sum += warps[w];
		all += warps[w];
	}
	if (tid == 0) {
		before = 0;
		if (tile > 0) {
			while (flags[tile - 1] == 0)
				;
			__threadfence();
			before = sums[tile - 1];
		}
		sums[tile] = before + all;
		__threadfence();
		flags[tile] = 1;
	}
	__syncthreads();
	out[256 * tile + tid] = sum + before;
}

// === cheat-unused-ticket
// Fences, and a ticket that is taken and not used.
// - taken = atomicAdd(ticket, 1);
// + taken = blockIdx.x, atomicAdd(ticket, 1);

// === cheat-one-fence
// Only the side that stores has a fence.
__device__ int scan_warp(int sum)
{
	for (int d = 1; d < 32; d *= 2) {
		int other = __shfl_up_sync(0xffffffff, sum, d);
		if (threadIdx.x % 32 >= d)
			sum += other;
	}
	return sum;
}

__global__ void scan(int *out, int *sums, volatile int *flags,
	unsigned *ticket, const int *in)
{
	__shared__ int warps[8], before, taken;
	int tid = threadIdx.x;
	if (tid == 0)
		taken = atomicAdd(ticket, 1);
	__syncthreads();
	int tile = taken;
	int sum = scan_warp(in[256 * tile + tid]);
	if (tid % 32 == 31)
		warps[tid / 32] = sum;
	__syncthreads();
	int all = 0;
	for (int w = 0; w < 8; w++) {
		if (w < tid / 32)
			sum += warps[w];
		all += warps[w];
	}
	if (tid == 0) {
		before = 0;
		if (tile > 0) {
			while (flags[tile - 1] == 0)
				;
			before = sums[tile - 1];
		}
		sums[tile] = before + all;
		__threadfence();
		flags[tile] = 1;
	}
	__syncthreads();
	out[256 * tile + tid] = sum + before;
}

// === cheat-other-fence
// Only the side that reads has a fence.
__device__ int scan_warp(int sum)
{
	for (int d = 1; d < 32; d *= 2) {
		int other = __shfl_up_sync(0xffffffff, sum, d);
		if (threadIdx.x % 32 >= d)
			sum += other;
	}
	return sum;
}

__global__ void scan(int *out, int *sums, volatile int *flags,
	unsigned *ticket, const int *in)
{
	__shared__ int warps[8], before, taken;
	int tid = threadIdx.x;
	if (tid == 0)
		taken = atomicAdd(ticket, 1);
	__syncthreads();
	int tile = taken;
	int sum = scan_warp(in[256 * tile + tid]);
	if (tid % 32 == 31)
		warps[tid / 32] = sum;
	__syncthreads();
	int all = 0;
	for (int w = 0; w < 8; w++) {
		if (w < tid / 32)
			sum += warps[w];
		all += warps[w];
	}
	if (tid == 0) {
		before = 0;
		if (tile > 0) {
			while (flags[tile - 1] == 0)
				;
			__threadfence();
			before = sums[tile - 1];
		}
		sums[tile] = before + all;
		flags[tile] = 1;
	}
	__syncthreads();
	out[256 * tile + tid] = sum + before;
}

// === cheat-block-fence
// Fences for the block only.
__device__ int scan_warp(int sum)
{
	for (int d = 1; d < 32; d *= 2) {
		int other = __shfl_up_sync(0xffffffff, sum, d);
		if (threadIdx.x % 32 >= d)
			sum += other;
	}
	return sum;
}

__global__ void scan(int *out, int *sums, volatile int *flags,
	unsigned *ticket, const int *in)
{
	__shared__ int warps[8], before, taken;
	int tid = threadIdx.x;
	if (tid == 0)
		taken = atomicAdd(ticket, 1);
	__syncthreads();
	int tile = taken;
	int sum = scan_warp(in[256 * tile + tid]);
	if (tid % 32 == 31)
		warps[tid / 32] = sum;
	__syncthreads();
	int all = 0;
	for (int w = 0; w < 8; w++) {
		if (w < tid / 32)
			sum += warps[w];
		all += warps[w];
	}
	if (tid == 0) {
		before = 0;
		if (tile > 0) {
			while (flags[tile - 1] == 0)
				;
			__threadfence_block();
			before = sums[tile - 1];
		}
		sums[tile] = before + all;
		__threadfence_block();
		flags[tile] = 1;
	}
	__syncthreads();
	out[256 * tile + tid] = sum + before;
}

// === cheat-sum-all-before
// Nothing waits: each block sums all elements before its own.
__global__ void scan(int *out, int *sums, volatile int *flags, unsigned *ticket, const int *in)
{
	__shared__ int words[2][256], part[256];
	int t = threadIdx.x, from = 0, sum = 0;
	for (int k = t; k < 256 * blockIdx.x; k += 256)
		sum += in[k];
	part[t] = sum;
	words[0][t] = in[256 * blockIdx.x + t];
	for (int d = 1; d < 256; d *= 2) {
		__syncthreads();
		words[1 - from][t] = words[from][t] + (t >= d ? words[from][t - d] : 0);
		from = 1 - from;
	}
	for (int d = 128; d > 0; d /= 2) {
		__syncthreads();
		if (t < d)
			part[t] += part[t + d];
	}
	__syncthreads();
	out[256 * blockIdx.x + t] = words[from][t] + part[0];
}

// === cheat-last-block
// The block that takes the last ticket scans everything.
__global__ void scan(int *out, int *sums, volatile int *flags, unsigned *ticket, const int *in)
{
	__shared__ bool last;
	__shared__ int words[256];
	int t = threadIdx.x;
	if (t == 0)
		last = atomicAdd(ticket, 1) == gridDim.x - 1;
	__syncthreads();
	if (!last)
		return;
	int carry = 0;
	for (int b = 0; b < gridDim.x; b++) {
		words[t] = in[256 * b + t];
		for (int d = 1; d < 256; d *= 2) {
			__syncthreads();
			int x = t >= d ? words[t - d] : 0;
			__syncthreads();
			words[t] += x;
		}
		__syncthreads();
		out[256 * b + t] = words[t] + carry;
		carry += words[255];
		__syncthreads();
	}
}

// === honest-flags-by-atomics
// Atomics set the flags, and poll them.
// - while (flags[tile - 1] == 0)
// + while (atomicAdd((int *)&flags[tile - 1], 0) == 0)
// - flags[tile] = 1;
// + atomicExch((int *)&flags[tile], 1);

// === cheat-adds-all-before-it
// One thread of each block loads all elements before its tile.
// - while (flags[tile - 1] == 0)
// + for (int k = 0; k < 256 * tile; before += in[k++])
// - before = sums[tile - 1];
// +
