// Words once into shared memory; then every thread scans all of them.
__global__ void distance(unsigned *out, const unsigned *in)
{
	__shared__ unsigned s[256];
	int t = threadIdx.x, i = blockIdx.x * 256 + t;
	s[t] = in[i];
	__syncthreads();
	if (t == 0) {
		unsigned most = 0;
		for (int k = 0; k < 256; k++)
			most = max(most, s[k]);
		for (int k = 0; k < 256; k++)
			out[blockIdx.x * 256 + k] = most - s[k];
	}
}
