// Every lane collects all 32 elements by broadcasts.
__global__ void warp_sums(int *sums, const int *v)
{
	int i = blockIdx.x * 256 + threadIdx.x, own = v[i], sum = 0;
	for (int k = 0; k < 32; k++)
		sum += __shfl_sync(0xffffffff, own, k);
	if (threadIdx.x % 32 == 0)
		sums[i / 32] = sum;
}
