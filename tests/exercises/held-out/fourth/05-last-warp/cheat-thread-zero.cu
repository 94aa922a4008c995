// Thread 0 adds the last 64 words alone.
__global__ void last_warp(int *sums, const int *v)
{
	__shared__ int s[256];
	int tid = threadIdx.x;
	s[tid] = v[blockIdx.x * 256 + tid];
	for (int d = 128; d > 32; d /= 2) {
		__syncthreads();
		if (tid < d)
			s[tid] += s[tid + d];
	}
	__syncthreads();
	if (tid == 0) {
		int sum = 0;
		for (int k = 0; k < 64; k++)
			sum += s[k];
		sums[blockIdx.x] = sum;
	}
}
