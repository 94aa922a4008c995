// coalesced through shared memory, reversed order of the threads
__global__ void divergence(unsigned *out, const unsigned *in)
{
	__shared__ unsigned s[256];
	unsigned tid = threadIdx.x, base = blockIdx.x * blockDim.x;
	s[tid] = in[base + tid];
	__syncthreads();
	unsigned k = tid < 128 ? 2 * tid + 1 : 2 * (tid - 128);
	unsigned x = s[k];
	if (tid < 128)
		for (int i = 0; i < 64; i++) x = (x ^ x >> 3) + 7;
	else
		for (int i = 0; i < 64; i++) x = x * x + 1;
	s[k] = x;
	__syncthreads();
	out[base + tid] = s[tid];
}
