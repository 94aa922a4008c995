// Eight threads look at 32 words each, one by one.
__global__ void distance(unsigned *out, const unsigned *in)
{
	__shared__ unsigned s[256], m;
	int t = threadIdx.x, i = blockIdx.x * 256 + t;
	unsigned v = s[t] = in[i];
	__syncthreads();
	if (t < 8) {
		unsigned x = 0;
		for (int k = 0; k < 32; k++) x = max(x, s[8 * k + t]);
		for (int d = 4; d; d /= 2) x = max(x, __shfl_xor_sync(255, x, d));
		if (t == 0) m = x;
	}
	__syncthreads();
	out[i] = m - v;
}
