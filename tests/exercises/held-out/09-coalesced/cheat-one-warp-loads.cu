// One warp fills shared memory, coalesced.
__global__ void eights(unsigned *out, const unsigned *in)
{
	__shared__ unsigned s[2048];
	int t = threadIdx.x;
	if (t < 32)
		for (int k = t; k < 2048; k += 32)
			s[k] = in[blockIdx.x * 2048 + k];
	__syncthreads();
	unsigned sum = 0;
	for (int k = 0; k < 8; k++)
		sum += s[t * 8 + k];
	out[blockIdx.x * 256 + t] = sum;
}
