// a shuffle reduction, not a vote
__global__ void count(int *counts, const int *data)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	int c = data[i] > 0;
	c += __shfl_xor_sync(~0u, c, 16); c += __shfl_xor_sync(~0u, c, 8);
	c += __shfl_xor_sync(~0u, c, 4); c += __shfl_xor_sync(~0u, c, 2);
	c += __shfl_xor_sync(~0u, c, 1);
	if (i % 32 == 0) counts[i / 32] = c;
}
