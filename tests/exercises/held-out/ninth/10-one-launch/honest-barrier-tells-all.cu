// honest: the barrier's or tells all threads whether the block is the last; the counter is reset by hand
constexpr int THREADS = 256;

// The sum of the block's values, in all of its threads.
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
	int own = sum_of_block(v[blockIdx.x * THREADS + tid]);
	bool last = false;
	if (tid == 0) {
		sums[blockIdx.x] = own;
		__threadfence();
		last = atomicAdd(count, 1u) + 1 == gridDim.x;
	}
	if (__syncthreads_or(last)) {
		__threadfence();
		if (tid == 0)
			*count = 0;
		int all = sum_of_block(tid < gridDim.x ? __ldcg(&sums[tid]) : 0);
		if (tid == 0)
			*total = all;
	}
}
