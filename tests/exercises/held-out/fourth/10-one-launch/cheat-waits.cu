// Block 63 waits until all others have stored.
__global__ void sum(int *total, int *sums, unsigned *count, const int *v)
{
	__shared__ int words[256];
	int tid = threadIdx.x;
	words[tid] = v[blockIdx.x * 256 + tid];
	for (int d = 128; d > 0; d /= 2) {
		__syncthreads();
		if (tid < d)
			words[tid] += words[tid + d];
	}
	if (tid)
		return;
	sums[blockIdx.x] = words[0];
	__threadfence();
	atomicAdd(count, 1u);
	if (blockIdx.x == gridDim.x - 1) {
		while (atomicAdd(count, 0u) < gridDim.x)
			;
		__threadfence();
		int all = 0;
		for (int k = 0; k < gridDim.x; k++)
			all += ((volatile int *)sums)[k];
		*total = all;
	}
}
