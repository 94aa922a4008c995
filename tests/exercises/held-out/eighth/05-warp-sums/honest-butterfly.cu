// honest: xor shuffles in the other order, the last lane stores
__global__ void warp_sums(int *sums, const int *v)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int sum = v[i];
#pragma unroll
	for (int mask = 1; mask < 32; mask *= 2)
		sum += __shfl_xor_sync(0xffffffff, sum, mask);
	if ((i & 31) == 31)
		sums[i >> 5] = sum;
}
