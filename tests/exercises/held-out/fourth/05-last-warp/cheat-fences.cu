// Memory fences instead of barriers: they order, but no lane waits for another.
__global__ void last_warp(int *sums, const int *v)
{
	__shared__ int words[256];
	volatile int *s = words;
	int tid = threadIdx.x;
	s[tid] = v[blockIdx.x * 256 + tid];
	for (int d = 128; d > 32; d /= 2) {
		__syncthreads();
		if (tid < d)
			s[tid] += s[tid + d];
	}
	__syncthreads();
	if (tid < 32)
		for (int d = 32; d > 0; d /= 2) {
			s[tid] += s[tid + d];
			__threadfence_block();
		}
	if (tid == 0)
		sums[blockIdx.x] = s[0];
}
