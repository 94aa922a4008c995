// atomicAdd instead of atomicInc; shuffles sum the 64 results.
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
	if (last && tid < 32) {
		__threadfence();
		int all = 0;
		for (int k = tid; k < gridDim.x; k += 32)
			all += ((volatile int *)sums)[k];
		for (int d = 16; d > 0; d /= 2)
			all += __shfl_down_sync(~0u, all, d);
		if (tid == 0)
			*total = all;
	}
}
