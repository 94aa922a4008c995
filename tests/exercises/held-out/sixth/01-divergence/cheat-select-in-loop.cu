__global__ void divergence(unsigned *out, const unsigned *in)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x, x = in[i];
	bool o = i % 2;
#pragma unroll
	for (int k = 0; k < 64; k++) {
		unsigned a = x * x + 1, b = (x ^ x >> 3) + 7;
		x = o ? b : a;
	}
	out[i] = x;
}
