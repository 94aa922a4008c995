// Counts, but nothing orders the sum before the count.
__global__ void sum(int *total, int *sums, unsigned *count, const int *v)
{
	__shared__ int words[256];
	__shared__ bool last;
	int tid = threadIdx.x;
	words[tid] = v[blockIdx.x * 256 + tid];
	for (int d = 128; d > 0; d /= 2) {
		__syncthreads();
		if (tid < d)
			words[tid] += words[tid + d];
	}
	if (tid == 0) {
		sums[blockIdx.x] = words[0];
		last = atomicAdd(count, 1u) == gridDim.x - 1;
	}
	__syncthreads();
	if (last && tid < 32) {
		int all = sums[tid] + sums[tid + 32];
		for (int d = 16; d; d /= 2)
			all += __shfl_down_sync(~0u, all, d);
		if (tid == 0)
			*total = all;
	}
}
