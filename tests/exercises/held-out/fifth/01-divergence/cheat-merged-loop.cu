// No element changes its thread: every lane computes both kinds in one loop and selects.
__global__ void divergence(unsigned *out, const unsigned *in)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x, x = in[i], mask = 0u - i % 2;
	for (int k = 0; k < 64; k++) {
		unsigned even = x * x + 1, odd = (x ^ x >> 3) + 7;
		x = (even & ~mask) | (odd & mask);
	}
	out[i] = x;
}
