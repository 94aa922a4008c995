// Each thread computes both and selects one: no branch, twice the work.
__global__ void divergence(unsigned *out, const unsigned *in)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned a = in[i], b = a;
	for (int k = 0; k < 64; k++) {
		a = a * a + 1;
		b = (b ^ b >> 3) + 7;
	}
	unsigned mask = 0u - (i & 1);
	out[i] = (a & ~mask) | (b & mask);
}
