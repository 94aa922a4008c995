// Only two warps of a block work, each with all elements of one kind.
__global__ void divergence(unsigned *out, const unsigned *in)
{
	unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
	if (warp > 1)
		return;
	for (unsigned k = 0; k < 4; k++) {
		unsigned i = blockIdx.x * 256 + (k * 32 + lane) * 2 + warp;
		unsigned x = in[i];
		if (warp)
			for (int j = 0; j < 64; j++)
				x = (x ^ x >> 3) + 7;
		else
			for (int j = 0; j < 64; j++)
				x = x * x + 1;
		out[i] = x;
	}
}
