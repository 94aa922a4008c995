// === cheat-four-threads
// four threads add 16 each with int4
__global__ void sum(int *total, int *sums, unsigned *count, const int *v)
{
	__shared__ int s[256];
	__shared__ bool last;
	int t = threadIdx.x, x = v[blockIdx.x * 256 + t];
	s[t] = x;
	for (int d = 128; d; d /= 2) { __syncthreads(); if (t < d) s[t] += s[t + d]; }
	if (t == 0) { sums[blockIdx.x] = s[0]; __threadfence(); last = atomicAdd(count, 1u) == gridDim.x - 1; }
	__syncthreads();
	if (!last) return;
	__threadfence();
	if (t < 4) {
		int y = 0;
		for (int k = 0; k < 4; k++) { int4 q = ((int4 *)sums)[4 * k + t]; y += q.x + q.y + q.z + q.w; }
		y += __shfl_xor_sync(15, y, 1); y += __shfl_xor_sync(15, y, 2);
		if (t == 0) *total = y;
	}
}

// === cheat-two-threads
// two threads add 32 each
__global__ void sum(int *total, int *sums, unsigned *count, const int *v)
{
	__shared__ int s[256];
	__shared__ bool last;
	int t = threadIdx.x, x = v[blockIdx.x * 256 + t];
	s[t] = x;
	for (int d = 128; d; d /= 2) { __syncthreads(); if (t < d) s[t] += s[t + d]; }
	if (t == 0) { sums[blockIdx.x] = s[0]; __threadfence(); last = atomicAdd(count, 1u) == gridDim.x - 1; }
	__syncthreads();
	if (!last) return;
	__threadfence();
	if (t < 2) {
		int y = 0;
		for (int k = 0; k < 32; k++) y += ((volatile int *)sums)[2 * k + t];
		y += __shfl_xor_sync(3, y, 1);
		if (t == 0) *total = y;
	}
}

// === honest-add
// atomicAdd instead of atomicInc; each thread of the last block has as many of the results as any other.
__global__ void sum(int *total, int *sums, unsigned *count, const int *v)
{
	__shared__ int s[256];
	__shared__ bool last;
	int tid = threadIdx.x;
	s[tid] = v[blockIdx.x * 256 + tid];
	for (int d = 128; d > 0; d /= 2) {
		__syncthreads();
		if (tid < d)
			s[tid] += s[tid + d];
	}
	if (tid == 0) {
		sums[blockIdx.x] = s[0];
		__threadfence();
		last = atomicAdd(count, 1) == gridDim.x - 1;
	}
	__syncthreads();
	if (!last)
		return;
	__threadfence();
	s[tid] = 0;
	for (int k = tid; k < gridDim.x; k += 256)
		s[tid] += ((volatile int *)sums)[k];
	for (int d = 128; d > 0; d /= 2) {
		__syncthreads();
		if (tid < d)
			s[tid] += s[tid + d];
	}
	if (tid == 0)
		*total = s[0];
}

// === cheat-first-warp
// Only the first warp of the last block sums, two results per lane.
__global__ void sum(int *total, int *sums, unsigned *count, const int *v)
{
	__shared__ int words[8];
	__shared__ bool is_last;
	int tid = threadIdx.x, x = v[blockIdx.x * 256 + tid];
	for (int d = 16; d > 0; d /= 2)
		x += __shfl_down_sync(0xffffffff, x, d);
	if (tid % 32 == 0)
		words[tid / 32] = x;
	__syncthreads();
	if (tid == 0) {
		int own = 0;
		for (int k = 0; k < 8; k++)
			own += words[k];
		((volatile int *)sums)[blockIdx.x] = own;
		__threadfence();
		is_last = atomicAdd(count, 1u) + 1 == gridDim.x;
	}
	__syncthreads();
	if (!is_last || tid >= 32)
		return;
	__threadfence();
	int all = 0;
	for (int k = tid; k < gridDim.x; k += 32)
		all += __ldcg(&sums[k]);
	for (int d = 16; d > 0; d /= 2)
		all += __shfl_down_sync(0xffffffff, all, d);
	if (tid == 0)
		*total = all;
}

// === honest-shuffles
// Block sums by shuffles, the rest as usual.
__device__ int sum_of_block(int x)
{
	__shared__ int s[8];
	int t = threadIdx.x;
	for (int m = 16; m > 0; m /= 2)
		x += __shfl_xor_sync(~0u, x, m);
	__syncthreads();
	if (t % 32 == 0)
		s[t / 32] = x;
	__syncthreads();
	x = 0;
	for (int k = 0; k < 8; k++)
		x += s[k];
	return x;
}
__global__ void sum(int *total, int *sums, unsigned *count, const int *v)
{
	__shared__ unsigned before;
	int t = threadIdx.x, own = sum_of_block(v[blockIdx.x * 256 + t]);
	if (t == 0) {
		sums[blockIdx.x] = own;
		__threadfence();
		before = atomicInc(count, gridDim.x - 1);
	}
	__syncthreads();
	if (before == gridDim.x - 1) {
		int all = sum_of_block(t < gridDim.x ? sums[t] : 0);
		if (t == 0)
			*total = all;
	}
}

// === cheat-second-total
// A second global total; the sums that the blocks store are never read.
__device__ int sum_so_far;
__global__ void sum(int *total, int *sums, unsigned *count, const int *v)
{
	__shared__ int s[256];
	int t = threadIdx.x;
	s[t] = v[blockIdx.x * 256 + t];
	for (int d = 128; d; d /= 2) {
		__syncthreads();
		if (t < d)
			s[t] += s[t + d];
	}
	if (t)
		return;
	sums[blockIdx.x] = s[0];
	atomicAdd(&sum_so_far, s[0]);
	__threadfence();
	if (atomicAdd(count, 1u) == gridDim.x - 1)
		*total = atomicExch(&sum_so_far, 0);
}
