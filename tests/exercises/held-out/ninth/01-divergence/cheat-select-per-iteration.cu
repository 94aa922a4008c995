// cheat: one loop for both kinds whose body computes both and selects
__device__ unsigned either(unsigned x, bool first)
{
	for (int i = 0; i < 64; i++) {
		unsigned e = x * x + 1, o = (x ^ x >> 3) + 7;
		x = first ? e : o;
	}
	return x;
}

__global__ void divergence(unsigned *out, const unsigned *in)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	out[i] = either(in[i], i % 2 == 0);
}
