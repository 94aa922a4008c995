// a condition instead of max()
__global__ void largest(int *most, const int *v)
{
	__shared__ int s[256];
	unsigned tid = threadIdx.x;
	s[tid] = v[blockIdx.x * 256 + tid];
	__syncthreads();
	for (unsigned d = 128; d > 0; d /= 2) {
		if (tid < d)
			if (s[tid + d] > s[tid])
				s[tid] = s[tid + d];
		__syncthreads();
	}
	if (tid == 0) most[blockIdx.x] = s[0];
}
