// Each warp sums by shuffles, then the first warp sums the eight results.
__global__ void last_warp(int *sums, const int *v)
{
	__shared__ int s[8];
	int tid = threadIdx.x, sum = v[blockIdx.x * 256 + tid];
	for (int d = 16; d > 0; d /= 2)
		sum += __shfl_down_sync(~0u, sum, d);
	if (tid % 32 == 0)
		s[tid / 32] = sum;
	__syncthreads();
	if (tid < 32) {
		sum = tid < 8 ? s[tid] : 0;
		for (int d = 4; d > 0; d /= 2)
			sum += __shfl_down_sync(~0u, sum, d);
		if (tid == 0)
			sums[blockIdx.x] = sum;
	}
}
