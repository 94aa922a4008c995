// The warps of a pair share 64 elements: one takes the even, one the odd.
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
	unsigned x = in[i];
	out[i] = warp % 2 ? odd(x) : even(x);
}
