// Two neighboring blocks share 512 elements.
template <bool ODD> __device__ unsigned compute(unsigned x)
{
#pragma unroll 4
	for (int i = 0; i < 64; i++)
		x = ODD ? (x ^ x >> 3) + 7 : x * x + 1;
	return x;
}
__global__ void divergence(unsigned *out, const unsigned *in)
{
	unsigned first = (blockIdx.x & ~1u) * blockDim.x + 2 * threadIdx.x;
	if (blockIdx.x & 1)
		out[first + 1] = compute<true>(in[first + 1]);
	else
		out[first] = compute<false>(in[first]);
}
