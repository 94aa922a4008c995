__global__ void largest(int *most, const int *v)
{
	__shared__ int s[256];
	unsigned tid = threadIdx.x;
	s[tid] = v[blockIdx.x * 256 + tid];
	__syncthreads();
	if (tid < 32) {
		int m = s[tid];
		for (int k = 1; k < 8; k++)
			m = max(m, s[tid + 32 * k]);
		s[tid] = m;
	}
	__syncthreads();
	if (tid == 0) {
		int m = s[0];
		for (int k = 1; k < 32; k++)
			m = max(m, s[k]);
		most[blockIdx.x] = m;
	}
}
