// The words are written by all and added by one.
constexpr int THREADS = 256;

__global__ void any_size(int *sums, const int *v, int n)
{
	__shared__ int s[THREADS];
	int tid = threadIdx.x;
	int i = blockIdx.x * THREADS + tid;

	s[tid] = i < n ? v[i] : 0;
	__syncthreads();
	if (tid == 0)
		for (int k = 1; k < THREADS; k++)
			s[0] += s[k];
	if (tid == 0)
		sums[blockIdx.x] = s[0];
}
