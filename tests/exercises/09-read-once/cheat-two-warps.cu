// two warps read for the block, one word at a time
__global__ void distance(unsigned *out, const unsigned *in)
{
	__shared__ unsigned s[256], m[2];
	int t = threadIdx.x, i = blockIdx.x * 256 + t;
	if (t < 64) {
		unsigned x = 0;
		for (int k = 0; k < 256; k += 64) x = max(x, s[t + k] = in[i + k]);
		for (int d = 16; d; d /= 2) x = max(x, __shfl_xor_sync(~0u, x, d));
		if (t % 32 == 0) m[t / 32] = x;
	}
	__syncthreads();
	out[i] = max(m[0], m[1]) - s[t];
}
