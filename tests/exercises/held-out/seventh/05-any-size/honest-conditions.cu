// no zeros: the additions have the condition
constexpr int THREADS = 256;
__global__ void any_size(int *sums, const int *v, int n)
{
	__shared__ int s[THREADS];
	int tid = threadIdx.x, left = min(THREADS, n - (int)blockIdx.x * THREADS);
	if (tid < left) s[tid] = v[blockIdx.x * THREADS + tid];
	for (int d = THREADS / 2; d > 0; d >>= 1) {
		__syncthreads();
		if (tid < d && tid + d < left) s[tid] += s[tid + d];
	}
	if (tid == 0) sums[blockIdx.x] = left > 0 ? s[0] : 0;
}
