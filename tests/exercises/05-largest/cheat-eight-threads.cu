// Eight threads look at 32 words each.
__global__ void largest(int *most, const int *v)
{
	__shared__ int s[256];
	unsigned t = threadIdx.x;
	s[t] = v[blockIdx.x * 256 + t];
	__syncthreads();
	if (t < 8) {
		int m = s[t];
		for (int k = 8; k < 256; k += 8) m = max(m, s[k + t]);
		for (int d = 4; d; d /= 2) m = max(m, __shfl_xor_sync(255, m, d));
		if (t == 0) most[blockIdx.x] = m;
	}
}
