// Every warp reads all 256 words, in order: each word crosses the link eight times.
__global__ void distance(unsigned *out, const unsigned *in)
{
	int tid = threadIdx.x, first = blockIdx.x * 256;
	unsigned most = 0, own = 0;
	for (int k = 0; k < 8; k++) {
		unsigned x = in[first + 32 * k + tid % 32];
		most = max(most, x);
		if (k == tid / 32)
			own = x;
	}
	for (int d = 16; d > 0; d /= 2)
		most = max(most, __shfl_xor_sync(0xffffffff, most, d));
	out[first + tid] = most - own;
}
