// honest: zero for missing elements, shuffles in the warps, eight words of shared memory
__global__ void any_size(int *sums, const int *v, int n)
{
	__shared__ int partial[8];
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	int x = 0;
	if (i < (unsigned)n)
		x = v[i];
	for (int d = 16; d; d >>= 1)
		x += __shfl_xor_sync(0xffffffffu, x, d);
	if (threadIdx.x % 32 == 0)
		partial[threadIdx.x / 32] = x;
	__syncthreads();
	if (threadIdx.x == 0) {
		for (int w = 1; w < 8; w++)
			x += partial[w];
		sums[blockIdx.x] = x;
	}
}
