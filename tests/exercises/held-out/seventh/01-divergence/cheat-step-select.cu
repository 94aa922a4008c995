// selects in every iteration of one loop: both computations are still done
__global__ void divergence(unsigned *out, const unsigned *in)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned x = in[i], mask = 0u - (i & 1);
	for (int k = 0; k < 64; k++) {
		unsigned e = x * x + 1, o = (x ^ x >> 3) + 7;
		x = (e & ~mask) | (o & mask);
	}
	out[i] = x;
}
