// Maxima of warps by shuffles, eight words in shared memory.
__global__ void distance(unsigned *out, const unsigned *in)
{
	__shared__ unsigned s[8];
	unsigned t = threadIdx.x, i = blockIdx.x * 256 + t, word = in[i], most = word;
	for (int m = 16; m > 0; m /= 2)
		most = max(most, __shfl_xor_sync(~0u, most, m));
	if (t % 32 == 0)
		s[t / 32] = most;
	__syncthreads();
	for (int k = 0; k < 8; k++)
		most = max(most, s[k]);
	out[i] = most - word;
}
