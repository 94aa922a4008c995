__global__ void sum(int *total, int *sums, unsigned *count, const int *v)
{
	__shared__ int warps[8];
	__shared__ unsigned ticket;
	const int tid = threadIdx.x;

	int mine = v[blockIdx.x * 256 + tid];
	for (int d = 16; d; d /= 2)
		mine += __shfl_down_sync(~0u, mine, d);
	if (tid % 32 == 0)
		warps[tid / 32] = mine;
	__syncthreads();
	if (tid == 0) {
		int block = 0;
		for (int w = 0; w < 8; w++)
			block += warps[w];
		sums[blockIdx.x] = block;
		__threadfence();
		ticket = atomicInc(count, gridDim.x);
	}
	__syncthreads();
	if (ticket == gridDim.x - 1 && tid < 32) {
		__threadfence();
		int all = 0;
		for (int b = tid; b < gridDim.x; b += 32)
			all += ((volatile int *)sums)[b];
		for (int d = 16; d; d /= 2)
			all += __shfl_down_sync(~0u, all, d);
		if (tid == 0)
			*total = all;
	}
}
