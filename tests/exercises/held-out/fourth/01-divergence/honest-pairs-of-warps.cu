// Two neighboring warps share 64 elements: one takes the even ones, the other the odd ones.
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
	unsigned i = blockIdx.x * blockDim.x + warp / 2 * 64 + lane * 2 + warp % 2;
	out[i] = warp % 2 ? odd(in[i]) : even(in[i]);
}
