// One loop, and a select in each iteration.
__global__ void divergence(unsigned *out, const unsigned *in)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x, x = in[i];
	for (int k = 0; k < 64; k++) {
		unsigned a = x * x + 1, b = (x ^ x >> 3) + 7;
		x = i % 2 ? b : a;
	}
	out[i] = x;
}
