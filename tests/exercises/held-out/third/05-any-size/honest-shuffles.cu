// Shuffles, and a second round for the eight sums.
__device__ int warp_sum(int x)
{
	for (int d = 16; d; d /= 2)
		x += __shfl_down_sync(~0u, x, d);
	return x;
}

__global__ void any_size(int *sums, const int *v, int n)
{
	__shared__ int parts[32];
	unsigned i = blockIdx.x * 256u + threadIdx.x, warp = threadIdx.x / 32, lane = threadIdx.x % 32;
	int sum = 0;
	if (i < n)
		sum = v[i];
	sum = warp_sum(sum);
	if (lane == 0)
		parts[warp] = sum;
	__syncthreads();
	if (warp == 0) {
		sum = warp_sum(lane < 8 ? parts[lane] : 0);
		if (lane == 0)
			sums[blockIdx.x] = sum;
	}
}
