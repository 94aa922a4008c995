// one warp does all even, one all odd elements of the block, six idle
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
	unsigned w = threadIdx.x / 32;
	unsigned base = blockIdx.x * blockDim.x + 2 * (threadIdx.x % 32) + w;
	if (w == 0)
		for (int k = 0; k < 256; k += 64) out[base + k] = even(in[base + k]);
	else if (w == 1)
		for (int k = 0; k < 256; k += 64) out[base + k] = odd(in[base + k]);
}
