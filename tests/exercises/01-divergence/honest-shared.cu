// Loads and stores coalesced; shared memory sorts even from odd.
__global__ void divergence(unsigned *out, const unsigned *in)
{
	__shared__ unsigned s[256];
	unsigned t = threadIdx.x, first = blockIdx.x * 256;
	s[t % 2 * 128 + t / 2] = in[first + t];
	__syncthreads();
	unsigned x = s[t];
	if (t < 128)
		for (int i = 0; i < 64; i++)
			x = x * x + 1;
	else
		for (int i = 0; i < 64; i++)
			x = (x ^ x >> 3) + 7;
	s[t] = x;
	__syncthreads();
	out[first + t] = s[t % 2 * 128 + t / 2];
}
