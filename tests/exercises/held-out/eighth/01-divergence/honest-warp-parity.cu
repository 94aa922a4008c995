// honest: even warps take the even elements of 64 neighbors, odd warps the odd ones
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
	unsigned lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
	unsigned kind = warp & 1;
	unsigned i = blockIdx.x * blockDim.x + (warp >> 1) * 64 + (lane << 1) + kind;
	unsigned x = in[i];
	x = kind ? odd(x) : even(x);
	out[i] = x;
}
