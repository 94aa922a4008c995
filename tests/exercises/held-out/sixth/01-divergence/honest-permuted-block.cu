__device__ __forceinline__ unsigned run(unsigned x, bool o)
{
	if (o) {
#pragma unroll 4
		for (int i = 0; i < 64; i++) x = (x ^ x >> 3) + 7;
	} else {
#pragma unroll 4
		for (int i = 0; i < 64; i++) x = x * x + 1;
	}
	return x;
}
__global__ void divergence(unsigned *out, const unsigned *in)
{
	const unsigned t = threadIdx.x, w = t >> 5;
	const unsigned i = blockIdx.x * 256 + (w & 3) * 64 + (t & 31) * 2 + (w >> 2);
	out[i] = run(in[i], w >> 2);
}
