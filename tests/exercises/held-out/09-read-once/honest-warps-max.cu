__global__ void distance(unsigned *out, const unsigned *in)
{
	__shared__ unsigned warps[8];
	const int t = threadIdx.x, i = blockIdx.x * 256 + t;
	const unsigned own = in[i];
	unsigned most = own;
	for (int d = 16; d > 0; d >>= 1)
		most = max(most, __shfl_xor_sync(0xffffffff, most, d));
	if (t % 32 == 0)
		warps[t / 32] = most;
	__syncthreads();
	for (int w = 0; w < 8; w++)
		most = max(most, warps[w]);
	out[i] = most - own;
}
