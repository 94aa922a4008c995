// Loads and stores in order; between them the block sorts its elements by kind in shared memory, whole warps per kind.
__device__ unsigned even(unsigned x)
{
	for (int i = 0; i < 64; i++)
		x = x * x + 1;
	return x;
}
__device__ unsigned odd(unsigned x)
{
	for (int i = 0; i < 64; i++)
		x = (x ^ x >> 3) + 7;
	return x;
}
__global__ void divergence(unsigned *out, const unsigned *in)
{
	__shared__ unsigned kinds[2][128];
	const unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
	kinds[t % 2][t / 2] = in[i];
	__syncthreads();
	if (t < 128)
		kinds[0][t] = even(kinds[0][t]);
	else
		kinds[1][t - 128] = odd(kinds[1][t - 128]);
	__syncthreads();
	out[i] = kinds[t % 2][t / 2];
}
