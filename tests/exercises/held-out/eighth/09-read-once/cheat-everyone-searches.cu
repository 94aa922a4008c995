// cheat: read once into shared memory, but no reduction: each of the 256 threads looks at all 256 words
__global__ void distance(unsigned *out, const unsigned *in)
{
	__shared__ unsigned s[256];
	int tid = threadIdx.x, i = blockIdx.x * 256 + tid;
	unsigned word = s[tid] = in[i], most = 0;
	__syncthreads();
	for (int k = 0; k < 256; k++)
		most = max(most, s[k]);
	out[i] = most - word;
}
