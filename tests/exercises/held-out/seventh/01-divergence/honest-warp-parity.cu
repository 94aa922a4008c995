// neighboring warps share 64 elements: warp parity is element parity
template<bool ODD> __device__ unsigned step(unsigned x) { return ODD ? (x ^ x >> 3) + 7 : x * x + 1; }
template<bool ODD> __device__ unsigned run(unsigned x)
{
	for (int i = 0; i < 64; i++)
		x = step<ODD>(x);
	return x;
}
__global__ void divergence(unsigned *out, const unsigned *in)
{
	unsigned warp = threadIdx.x >> 5, lane = threadIdx.x & 31;
	unsigned i = blockIdx.x * blockDim.x + (warp >> 1) * 64 + 2 * lane + (warp & 1);
	out[i] = warp & 1 ? run<true>(in[i]) : run<false>(in[i]);
}
