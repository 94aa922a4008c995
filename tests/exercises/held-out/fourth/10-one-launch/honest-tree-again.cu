// The same tree for the block's sum and for the total.
__device__ int tree(int *words, int value)
{
	int tid = threadIdx.x;
	__syncthreads();
	words[tid] = value;
	for (int d = 128; d > 0; d /= 2) {
		__syncthreads();
		if (tid < d)
			words[tid] += words[tid + d];
	}
	__syncthreads();
	return words[0];
}
__global__ void sum(int *total, int *sums, unsigned *count, const int *v)
{
	__shared__ int words[256];
	__shared__ unsigned place;
	int own = tree(words, v[blockIdx.x * 256 + threadIdx.x]);
	if (threadIdx.x == 0) {
		__stcg(&sums[blockIdx.x], own);
		__threadfence();
		place = atomicAdd(count, 1u);
		__threadfence();
	}
	__syncthreads();
	if (place + 1 == gridDim.x) {
		int all = tree(words, threadIdx.x < gridDim.x ? __ldcg(&sums[threadIdx.x]) : 0);
		if (threadIdx.x == 0)
			*total = all;
	}
}
