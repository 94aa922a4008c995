__global__ void largest(int *most, const int *v)
{
	__shared__ int s[8];
	const unsigned tid = threadIdx.x;
	int m = v[blockIdx.x * blockDim.x + tid];
	for (int d = 16; d > 0; d /= 2)
		m = max(m, __shfl_xor_sync(0xffffffff, m, d));
	if (tid % 32 == 0)
		s[tid / 32] = m;
	__syncthreads();
	if (tid < 8) {
		m = s[tid];
		for (int d = 4; d > 0; d /= 2)
			m = max(m, __shfl_xor_sync(0xff, m, d));
		if (tid == 0)
			most[blockIdx.x] = m;
	}
}
