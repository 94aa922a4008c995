// A butterfly: all lanes have the sum.
__global__ void warp_sums(int *sums, const int *v)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, sum = v[i];
	for (int m = 16; m; m >>= 1)
		sum += __shfl_xor_sync(~0u, sum, m);
	if (i % 32 == 0)
		sums[i / 32] = sum;
}
