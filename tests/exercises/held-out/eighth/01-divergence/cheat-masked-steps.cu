// cheat: one loop that does both steps for every element and keeps one by a mask: no branch, twice the work
__global__ void divergence(unsigned *out, const unsigned *in)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned x = in[i], mask = 0u - (i & 1);
	for (int k = 0; k < 64; k++) {
		unsigned a = x * x + 1, b = (x ^ x >> 3) + 7;
		x = (a & ~mask) | (b & mask);
	}
	out[i] = x;
}
