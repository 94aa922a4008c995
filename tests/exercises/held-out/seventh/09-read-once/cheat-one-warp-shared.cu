// all words into shared memory, then one warp alone looks for the maximum, eight words per lane
__global__ void distance(unsigned *out, const unsigned *in)
{
	__shared__ unsigned s[256], most;
	int tid = threadIdx.x, i = blockIdx.x * 256 + tid;
	unsigned v = s[tid] = in[i];
	__syncthreads();
	if (tid < 32) {
		unsigned m = 0;
		for (int k = 0; k < 256; k++) m = max(m, s[k]);
		if (tid == 0) most = m;
	}
	__syncthreads();
	out[i] = most - v;
}
