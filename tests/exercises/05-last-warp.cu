// === cheat-four-lanes
// four lanes sum sixteen words each
__global__ void last_warp(int *sums, const int *v)
{
	__shared__ int s[256];
	int t = threadIdx.x;
	s[t] = v[blockIdx.x * 256 + t];
	__syncthreads();
	if (t < 128) s[t] += s[t + 128];
	__syncthreads();
	if (t < 64) s[t] += s[t + 64];
	__syncthreads();
	if (t < 4) {
		int x = 0;
		for (int k = 0; k < 16; k++) x += s[4 * k + t];
		x += __shfl_xor_sync(15, x, 1);
		x += __shfl_xor_sync(15, x, 2);
		if (t == 0) sums[blockIdx.x] = x;
	}
}

// === cheat-one-thread-vectors
__global__ void last_warp(int *sums, const int *v)
{
	__shared__ int s[256];
	int tid = threadIdx.x;
	s[tid] = v[blockIdx.x * 256 + tid];
	for (int d = 128; d > 32; d /= 2) {
		__syncthreads();
		if (tid < d)
			s[tid] += s[tid + d];
	}
	__syncthreads();

	if (tid == 0) {
		int sum = 0;
		const int4 *p = (const int4 *)s;
#pragma unroll
		for (int k = 0; k < 16; k++) {
			int4 w = p[k];
			sum += w.x + w.y + w.z + w.w;
		}
		sums[blockIdx.x] = sum;
	}
}

// === honest-eight
// One barrier: the first warp adds eight words per lane.
__global__ void last_warp(int *sums, const int *v)
{
	__shared__ int s[256];
	int tid = threadIdx.x;
	s[tid] = v[blockIdx.x * 256 + tid];
	__syncthreads();
	if (tid >= 32)
		return;
	int sum = 0;
#pragma unroll
	for (int k = 0; k < 8; k++)
		sum += s[tid + 32 * k];
	for (int m = 16; m > 0; m /= 2)
		sum += __shfl_xor_sync(~0u, sum, m);
	if (tid == 0)
		sums[blockIdx.x] = sum;
}

// === honest-syncwarp
// Shared memory to the end, ordered by __syncwarp().
__global__ void last_warp(int *sums, const int *v)
{
	__shared__ int s[256];
	int tid = threadIdx.x;
	s[tid] = v[blockIdx.x * 256 + tid];
	for (int d = 128; d > 32; d /= 2) {
		__syncthreads();
		if (tid < d)
			s[tid] += s[tid + d];
	}
	__syncthreads();
	if (tid < 32) {
		int sum = s[tid];
		for (int d = 32; d > 0; d /= 2) {
			sum += s[tid + d];
			__syncwarp();
			s[tid] = sum;
			__syncwarp();
		}
		if (tid == 0)
			sums[blockIdx.x] = sum;
	}
}

// === honest-volatile-syncwarp
// each step written out
__global__ void last_warp(int *sums, const int *v)
{
	__shared__ int s[256];
	const int t = threadIdx.x;
	s[t] = v[blockIdx.x * 256 + t];
	__syncthreads();
	if (t < 128) s[t] += s[t + 128];
	__syncthreads();
	if (t < 64) s[t] += s[t + 64];
	__syncthreads();
	if (t >= 32) return;
	int x = s[t] + s[t + 32];
	s[t] = x; __syncwarp();
	x += s[(t + 16) % 32]; __syncwarp(); s[t] = x; __syncwarp();
	x += s[(t + 8) % 32]; __syncwarp(); s[t] = x; __syncwarp();
	x += s[(t + 4) % 32]; __syncwarp(); s[t] = x; __syncwarp();
	x += s[(t + 2) % 32]; __syncwarp(); s[t] = x; __syncwarp();
	x += s[(t + 1) % 32];
	if (t == 0) sums[blockIdx.x] = x;
}

// === honest-warps-first
// Each warp sums by shuffles, then the first warp sums the eight results.
__global__ void last_warp(int *sums, const int *v)
{
	__shared__ int s[8];
	int tid = threadIdx.x, sum = v[blockIdx.x * 256 + tid];
	for (int d = 16; d > 0; d /= 2)
		sum += __shfl_down_sync(~0u, sum, d);
	if (tid % 32 == 0)
		s[tid / 32] = sum;
	__syncthreads();
	if (tid < 32) {
		sum = tid < 8 ? s[tid] : 0;
		for (int d = 4; d > 0; d /= 2)
			sum += __shfl_down_sync(~0u, sum, d);
		if (tid == 0)
			sums[blockIdx.x] = sum;
	}
}

// === cheat-eight-lanes
// Eight lanes sum eight words each.
__global__ void last_warp(int *sums, const int *v)
{
	__shared__ int s[256];
	int t = threadIdx.x;
	s[t] = v[blockIdx.x * 256 + t];
	for (int d = 128; d > 32; d /= 2) {
		__syncthreads();
		if (t < d)
			s[t] += s[t + d];
	}
	__syncthreads();
	if (t < 8) {
		int x = 0;
		for (int k = 0; k < 8; k++)
			x += s[8 * k + t];
		for (int d = 4; d; d /= 2)
			x += __shfl_xor_sync(255, x, d);
		if (t == 0)
			sums[blockIdx.x] = x;
	}
}

// === honest-reduce
// One instruction sums the last 32 lanes.
__global__ void last_warp(int *sums, const int *v)
{
	__shared__ int s[256];
	int t = threadIdx.x;
	s[t] = v[blockIdx.x * 256 + t];
	__syncthreads();
	if (t < 128) s[t] += s[t + 128];
	__syncthreads();
	if (t < 64) s[t] += s[t + 64];
	__syncthreads();
	if (t < 32) {
		int sum = __reduce_add_sync(~0u, s[t] + s[t + 32]);
		if (t == 0) sums[blockIdx.x] = sum;
	}
}

// === cheat-half-as-many-lanes
// Half of the lanes drop out in each step.
__global__ void last_warp(int *sums, const int *v)
{
	__shared__ int s[256];
	int t = threadIdx.x;
	s[t] = v[blockIdx.x * 256 + t];
	for (int d = 128; d > 32; d /= 2) {
		__syncthreads();
		if (t < d)
			s[t] += s[t + d];
	}
	__syncthreads();
	if (t >= 32)
		return;
	int sum = s[t];
	for (int d = 32; d > 0; d /= 2) {
		if (t < d)
			s[t] = sum += s[t + d];
		__syncwarp();
	}
	if (t == 0)
		sums[blockIdx.x] = sum;
}

// === cheat-atomics
// All lanes add to one word.
// - for (int d = 16; d > 0; d /= 2)
// + s[tid] = sum; __syncwarp(); if (tid) atomicAdd(&s[0], sum); __syncwarp(); sum = s[0];
// - sum += __shfl_down_sync(0xffffffff, sum, d);
// +

// === cheat-sixteen-lanes
// Half of the lanes, in every step.
// - if (tid < 32) {
// + if (tid < 16) {
// - int sum = s[tid] + s[tid + 32];
// + int sum = s[tid] + s[tid + 16] + s[tid + 32] + s[tid + 48];
// - for (int d = 16; d > 0; d /= 2)
// + for (int d = 8; d > 0; d /= 2)
// - __shfl_down_sync(0xffffffff, sum, d)
// + __shfl_down_sync(0xffff, sum, d)
