// honest: two warps share 64 elements, one for each kind
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
	unsigned kind = warp & 1;
	unsigned i = blockIdx.x * blockDim.x + (warp >> 1) * 64 + 2 * lane + kind;
	unsigned x = in[i];
	out[i] = kind ? odd(x) : even(x);
}
