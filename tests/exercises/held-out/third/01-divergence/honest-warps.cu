// Every second warp takes the odd elements of 64.
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
	unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
	unsigned i = blockIdx.x * blockDim.x + warp / 2 * 64 + 2 * lane + warp % 2;
	if (warp % 2 == 0)
		out[i] = even(in[i]);
	else
		out[i] = odd(in[i]);
}
