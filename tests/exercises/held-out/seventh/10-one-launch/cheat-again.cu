// the last block adds all elements again instead of the sums
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
if (tid == 0) { sums[blockIdx.x] = own; __threadfence(); last = atomicInc(count, gridDim.x - 1) == gridDim.x - 1; } __syncthreads(); if (last) { int x = 0; for (int k = tid; k < gridDim.x * THREADS; k += THREADS) x += v[k]; x = sum_of_block(x); if (tid == 0) *total = x; }
}
