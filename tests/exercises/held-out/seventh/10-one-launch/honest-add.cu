// atomicAdd, the counter reset by the last block; every thread knows by __syncthreads_or
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
unsigned i = blockIdx.x * THREADS + tid; int own = sum_of_block(v[i]); bool mine = false; if (tid == 0) { *(volatile int *)&sums[blockIdx.x] = own; __threadfence(); mine = atomicAdd(count, 1u) + 1 == gridDim.x; } if (!__syncthreads_or(mine)) return; __threadfence(); int all = sum_of_block(tid < gridDim.x ? __ldcg(sums + tid) : 0); if (tid == 0) { *total = all; *count = 0; }
}
