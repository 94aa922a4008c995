// half of the warps do even and then odd elements; the others idle
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
	if (threadIdx.x >= 128)
		return;
	unsigned i = blockIdx.x * blockDim.x + 2 * threadIdx.x;
	out[i] = even(in[i]);
	out[i + 1] = odd(in[i + 1]);
}
