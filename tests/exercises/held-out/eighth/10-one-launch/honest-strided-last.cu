// honest: every thread of the last block takes every 256th sum, for any number of blocks
constexpr int THREADS = 256;

__device__ int sum_of_block(int value)
{
	__shared__ int words[THREADS];
	int tid = threadIdx.x;
	__syncthreads();
	words[tid] = value;
	for (int d = THREADS / 2; d > 0; d /= 2) {
		__syncthreads();
		if (tid < d)
			words[tid] += words[tid + d];
	}
	__syncthreads();
	return words[0];
}

__global__ void sum(int *total, int *sums, unsigned *count, const int *v)
{
	int tid = threadIdx.x;
	__shared__ bool is_last;
	int own = sum_of_block(v[blockIdx.x * THREADS + tid]);
	if (tid == 0) {
		atomicExch(&sums[blockIdx.x], own);
		__threadfence();
		unsigned before = atomicInc(count, gridDim.x - 1);
		is_last = before == gridDim.x - 1;
		__threadfence();
	}
	__syncthreads();
	if (!is_last)
		return;
	int mine = 0;
	for (int b = tid; b < gridDim.x; b += THREADS)
		mine += __ldcg(&sums[b]);
	int all = sum_of_block(mine);
	if (tid == 0)
		*total = all;
}
