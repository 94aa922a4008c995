__global__ void divergence(unsigned *out, const unsigned *in)
{
	unsigned warp = threadIdx.x / 32, lane = threadIdx.x & 31;
	bool is_odd = warp & 1;
	unsigned i = blockIdx.x * blockDim.x + (warp >> 1) * 64 + 2 * lane + is_odd;
	unsigned x = in[i];
	if (is_odd) {
		for (int k = 0; k < 64; ++k)
			x = 7 + (x ^ (x >> 3));
	} else {
		for (int k = 0; k < 64; ++k)
			x = 1 + x * x;
	}
	out[i] = x;
}
