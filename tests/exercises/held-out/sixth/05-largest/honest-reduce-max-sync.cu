__global__ void largest(int *most, const int *v)
{
	__shared__ int s[8];
	unsigned tid = threadIdx.x;
	int m = __reduce_max_sync(~0u, v[blockIdx.x * blockDim.x + tid]);
	if (tid % 32 == 0)
		s[tid / 32] = m;
	__syncthreads();
	if (tid < 8) {
		m = __reduce_max_sync(0xff, s[tid]);
		if (tid == 0)
			most[blockIdx.x] = m;
	}
}
