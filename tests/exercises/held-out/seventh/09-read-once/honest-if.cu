// a tree with a condition instead of max()
__global__ void distance(unsigned *out, const unsigned *in)
{
	__shared__ unsigned s[256];
	int tid = threadIdx.x, i = blockIdx.x * 256 + tid;
	unsigned own = in[i];
	s[tid] = own;
	__syncthreads();
	for (int d = 128; d > 0; d /= 2) {
		if (tid < d) if (s[tid] < s[tid + d]) s[tid] = s[tid + d];
		__syncthreads();
	}
	out[i] = s[0] - own;
}
