__global__ void sum(int *total, int *sums, unsigned *count, const int *v)
{
	__shared__ int s[256];
	__shared__ bool last;
	int tid = threadIdx.x;
	s[tid] = v[blockIdx.x * 256 + tid];
	for (int d = 128; d > 0; d /= 2) {
		__syncthreads();
		if (tid < d)
			s[tid] += s[tid + d];
	}
	if (tid == 0) {
		sums[blockIdx.x] = s[0];
		last = atomicAdd(count, 1) == gridDim.x - 1;
	}
	__syncthreads();
	if (last) {
		s[tid] = tid < gridDim.x ? sums[tid] : 0;
		for (int d = 128; d > 0; d /= 2) {
			__syncthreads();
			if (tid < d)
				s[tid] += s[tid + d];
		}
		if (tid == 0)
			*total = s[0];
	}
}
