__global__ void distance(unsigned *out, const unsigned *in)
{
	__shared__ unsigned s[256], own[256];
	int t = threadIdx.x;
	s[t] = own[t] = in[blockIdx.x * 256 + t];
	for (int d = 1; d < 256; d *= 2) {
		__syncthreads();
		unsigned other = s[(t + d) % 256];
		__syncthreads();
		s[t] = max(s[t], other);
	}
	out[blockIdx.x * 256 + t] = s[t] - own[t];
}
