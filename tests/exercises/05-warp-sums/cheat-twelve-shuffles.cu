__global__ void warp_sums(int *sums, const int *v)
{
	int i = blockIdx.x * 256 + threadIdx.x, own = v[i], sum = 0;
#pragma unroll
	for (int k = 0; k < 8; k++)
		sum += __shfl_sync(~0u, own, threadIdx.x % 32 / 8 * 8 + k);
	sum = __shfl_sync(~0u, sum, 0) + __shfl_sync(~0u, sum, 8) + __shfl_sync(~0u, sum, 16) + __shfl_sync(~0u, sum, 24);
	if (threadIdx.x % 32 == 0)
		sums[i / 32] = sum;
}
