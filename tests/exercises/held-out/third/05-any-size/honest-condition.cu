// The tree asks which words exist.
constexpr int THREADS = 256;

__global__ void any_size(int *sums, const int *v, int n)
{
	__shared__ int s[THREADS];
	int tid = threadIdx.x;
	int i = blockIdx.x * THREADS + tid;

	int words = min(THREADS, n - (int)blockIdx.x * THREADS);
	if (tid < words)
		s[tid] = v[i];
	__syncthreads();
	for (int d = THREADS / 2; d > 0; d /= 2) {
		if (tid < d && tid + d < words)
			s[tid] += s[tid + d];
		__syncthreads();
	}
	if (tid == 0)
		sums[blockIdx.x] = words > 0 ? s[0] : 0;
}
