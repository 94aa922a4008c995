// the last threads are the active ones
constexpr unsigned THREADS = 256;
__global__ void largest(int *most, const int *v)
{
	__shared__ int s[THREADS];
	int tid = threadIdx.x;
	s[tid] = v[blockIdx.x * THREADS + tid];
	for (int d = THREADS / 2; d; d >>= 1) {
		__syncthreads();
		int k = tid - (int)(THREADS - d);
		if (k >= 0 && s[k + (int)(THREADS - 2 * d)] > s[tid]) s[tid] = s[k + (int)(THREADS - 2 * d)];
	}
	if (tid == THREADS - 1) most[blockIdx.x] = s[tid];
}
