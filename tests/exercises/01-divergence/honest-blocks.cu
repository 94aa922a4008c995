// Even blocks take the even elements of 512, odd blocks the odd ones.
__device__ unsigned even(unsigned x)
{
	for (int i = 0; i < 64; i++)
		x = x * x + 1;
	return x;
}
__device__ unsigned odd(unsigned x)
{
	for (int i = 0; i < 64; i++)
		x = (x ^ (x >> 3)) + 7;
	return x;
}
__global__ void divergence(unsigned *out, const unsigned *in)
{
	unsigned side = blockIdx.x % 2, i = blockIdx.x / 2 * 512 + 2 * threadIdx.x + side;
	if (side)
		out[i] = odd(in[i]);
	else
		out[i] = even(in[i]);
}
