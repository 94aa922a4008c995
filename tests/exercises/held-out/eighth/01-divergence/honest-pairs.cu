// honest: each thread loads the pair of neighbors as a uint2 and processes the one of its half of the block
template<bool ODD> __device__ unsigned path(unsigned x)
{
	for (int i = 0; i < 64; i++)
		x = ODD ? (x ^ x >> 3) + 7 : x * x + 1;
	return x;
}

__global__ void divergence(unsigned *out, const unsigned *in)
{
	unsigned pair = blockIdx.x * 128 + threadIdx.x % 128;
	uint2 both = ((const uint2 *)in)[pair];
	if (threadIdx.x < 128)
		out[2 * pair] = path<false>(both.x);
	else
		out[2 * pair + 1] = path<true>(both.y);
}
