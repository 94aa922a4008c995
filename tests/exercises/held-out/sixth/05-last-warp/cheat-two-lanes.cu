constexpr int THREADS = 256;

__global__ void last_warp(int *sums, const int *v)
{
	__shared__ int s[THREADS];
	int tid = threadIdx.x;

	s[tid] = v[blockIdx.x * THREADS + tid];
	for (int d = THREADS / 2; d > 32; d /= 2) {
		__syncthreads();
		if (tid < d)
			s[tid] += s[tid + d];
	}
	__syncthreads();
	if (tid < 32) {
		int sum = 0;
		if (tid < 2)
			for (int k = 0; k < 32; k++)
				sum += s[32 * tid + k];
		sum += __shfl_down_sync(~0u, sum, 1);
		if (tid == 0)
			sums[blockIdx.x] = sum;
	}
}
