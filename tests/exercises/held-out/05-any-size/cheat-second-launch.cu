// The first launch only leaves zeros and the total in one block.
__global__ void any_size(int *sums, const int *v, int n)
{
	__shared__ int s[256];
	int tid = threadIdx.x, sum = 0;
	if (blockIdx.x == 0)
		for (int i = tid; i < n; i += 256)
			sum += v[i];
	s[tid] = sum;
	__syncthreads();
	for (int d = 128; d > 0; d /= 2) {
		if (tid < d)
			s[tid] += s[tid + d];
		__syncthreads();
	}
	if (tid == 0)
		sums[blockIdx.x] = s[0];
}
