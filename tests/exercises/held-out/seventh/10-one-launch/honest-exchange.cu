// the last thread does the bookkeeping, atomicInc wraps around
constexpr int THREADS = 256;
__device__ int sum_of_block(int value)
{
	__shared__ int words[THREADS];
	int tid = threadIdx.x;
	__syncthreads();
	words[tid] = value;
	for (int d = THREADS / 2; d > 0; d /= 2) { __syncthreads(); if (tid < d) words[tid] += words[tid + d]; }
	__syncthreads();
	return words[0];
}
__global__ void sum(int *total, int *sums, unsigned *count, const int *v)
{
	int tid = threadIdx.x;
int own = sum_of_block(v[blockIdx.x * THREADS + tid]); __shared__ bool last;
if (tid == THREADS - 1) { sums[blockIdx.x] = own; __threadfence(); last = atomicInc(count, gridDim.x - 1) + 1 == gridDim.x; } __syncthreads(); if (last) { int x = 0; for (int k = tid; k < gridDim.x; k += THREADS) x += sums[k]; x = sum_of_block(x); if (tid == THREADS - 1) *total = x; }
}
