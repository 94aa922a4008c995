// thread 0 of the last block adds the sums alone
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
if (tid == 0) { sums[blockIdx.x] = own; __threadfence(); if (atomicInc(count, gridDim.x - 1) == gridDim.x - 1) { int t = 0; for (int k = 0; k < gridDim.x; k++) t += ((volatile int *)sums)[k]; *total = t; } }
}
