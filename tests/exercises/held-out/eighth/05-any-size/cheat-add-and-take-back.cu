// cheat: threads past the end add the last element again, and one thread subtracts what was too much
constexpr int THREADS = 256;

__global__ void any_size(int *sums, const int *v, int n)
{
	__shared__ int s[THREADS];
	int tid = threadIdx.x, i = blockIdx.x * THREADS + tid;
	s[tid] = v[min(i, n - 1)];
	__syncthreads();
	for (int d = THREADS / 2; d > 0; d /= 2) {
		if (tid < d)
			s[tid] += s[tid + d];
		__syncthreads();
	}
	if (tid == 0) {
		int missing = min(max(i + THREADS - n, 0), THREADS);
		sums[blockIdx.x] = s[0] - missing * v[n - 1];
	}
}
