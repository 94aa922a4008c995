// The first warp loads and sums everything.
__global__ void any_size(int *sums, const int *v, int n)
{
	if (threadIdx.x >= 32)
		return;
	int sum = 0;
	for (int k = threadIdx.x; k < 256; k += 32)
		if (blockIdx.x * 256 + k < n)
			sum += v[blockIdx.x * 256 + k];
	for (int d = 16; d > 0; d /= 2)
		sum += __shfl_down_sync(0xffffffff, sum, d);
	if (threadIdx.x == 0)
		sums[blockIdx.x] = sum;
}
