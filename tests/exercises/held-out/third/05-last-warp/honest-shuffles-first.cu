// Each warp sums its elements with shuffles, and the first warp the eight sums.
__global__ void last_warp(int *sums, const int *v)
{
	__shared__ int parts[8];
	int tid = threadIdx.x, lane = tid % 32;
	int sum = v[blockIdx.x * 256 + tid];
	for (int mask = 16; mask > 0; mask /= 2)
		sum += __shfl_xor_sync(0xffffffff, sum, mask);
	if (lane == 0)
		parts[tid / 32] = sum;
	__syncthreads();
	if (tid < 32) {
		sum = lane < 8 ? parts[lane] : 0;
		for (int mask = 4; mask > 0; mask /= 2)
			sum += __shfl_xor_sync(0xffffffff, sum, mask);
		if (lane == 0)
			sums[blockIdx.x] = sum;
	}
}
