// Half of the threads do an even and an odd element each.
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
	unsigned half = blockDim.x / 2, side = threadIdx.x / half;
	unsigned i = blockIdx.x * blockDim.x + 2 * (threadIdx.x % half) + side;
	if (side == 0) {
		out[i] = even(in[i]);
		out[i + 1] = odd(in[i + 1]);
	}
}
