// honest: nothing is filled in: a thread adds a word only if that word belongs to an element
constexpr int THREADS = 256;

__global__ void any_size(int *sums, const int *v, int n)
{
	__shared__ int s[THREADS];
	int tid = threadIdx.x, first = blockIdx.x * THREADS;
	int count = max(0, min(THREADS, n - first));
	if (tid < count)
		s[tid] = v[first + tid];
	__syncthreads();
	for (int d = THREADS / 2; d > 0; d /= 2) {
		if (tid < d && tid + d < count)
			s[tid] += s[tid + d];
		__syncthreads();
	}
	if (tid == 0)
		sums[blockIdx.x] = count > 0 ? s[0] : 0;
}
