// The starter with the sums kept; still no synchronization.
__global__ void last_warp(int *sums, const int *v)
{
	__shared__ volatile int s[256];
	int tid = threadIdx.x;
	s[tid] = v[blockIdx.x * 256 + tid];
	for (int d = 128; d > 32; d /= 2) {
		__syncthreads();
		if (tid < d)
			s[tid] = s[tid] + s[tid + d];
	}
	__syncthreads();
	if (tid < 32) {
		for (int d = 32; d > 0; d /= 2) {
			s[tid] = s[tid] + s[tid + d];
			__threadfence_block();
		}
	}
	if (tid == 0)
		sums[blockIdx.x] = s[0];
}
