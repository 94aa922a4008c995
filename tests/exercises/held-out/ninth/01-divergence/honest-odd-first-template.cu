// honest: the odd elements go to the first half, in descending order, with a template
template <bool ODD>
__device__ unsigned step(unsigned x)
{
	if constexpr (ODD)
		return (x ^ x >> 3) + 7;
	else
		return x * x + 1;
}

template <bool ODD>
__device__ void process(unsigned *out, const unsigned *in, unsigned i)
{
	unsigned x = in[i];
#pragma unroll 8
	for (int k = 0; k < 64; k++)
		x = step<ODD>(x);
	out[i] = x;
}

__global__ void divergence(unsigned *out, const unsigned *in)
{
	unsigned last = (blockIdx.x + 1) * blockDim.x - 1, t = threadIdx.x;
	if (t < 128)
		process<true>(out, in, last - 2 * t);
	else
		process<false>(out, in, last - 1 - 2 * (t - 128));
}
