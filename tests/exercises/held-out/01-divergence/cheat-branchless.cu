// One loop with a select in each iteration.
__global__ void divergence(unsigned *out, const unsigned *in)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned x = in[i], mask = 0u - (i & 1);
	for (int k = 0; k < 64; k++)
		x = ((x * x + 1) & ~mask) | (((x ^ x >> 3) + 7) & mask);
	out[i] = x;
}
