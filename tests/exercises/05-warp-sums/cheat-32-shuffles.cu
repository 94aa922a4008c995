__global__ void warp_sums(int *sums, const int *v)
{
	int i = blockIdx.x * 256 + threadIdx.x, x = v[i], sum = 0;
	for (int k = 0; k < 32; k++)
		sum += __shfl_sync(~0u, x, k);
	if (threadIdx.x % 32 == 0)
		sums[i / 32] = sum;
}
