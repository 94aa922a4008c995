__global__ void any_size(int *sums, const int *v, int n)
{
	__shared__ int s[256];
	int tid = threadIdx.x, i = blockIdx.x * 256 + tid;
	s[tid] = v[min(i, n - 1)] * (i < n);
	__syncthreads();
	for (int d = 128; d > 0; d /= 2) {
		if (tid < d)
			s[tid] += s[tid + d];
		__syncthreads();
	}
	if (tid == 0)
		sums[blockIdx.x] = s[0];
}
