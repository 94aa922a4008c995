// Lane 0 collects by 31 shuffles down.
__global__ void warp_sums(int *sums, const int *v)
{
	int i = blockIdx.x * 256 + threadIdx.x, x = v[i], sum = x;
#pragma unroll
	for (int k = 1; k < 32; k++)
		sum += __shfl_down_sync(~0u, x, k);
	if (threadIdx.x % 32 == 0)
		sums[i / 32] = sum;
}
