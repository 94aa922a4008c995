// the first threads are active, but they compare words with a stride
constexpr unsigned THREADS = 256;
__global__ void largest(int *most, const int *v)
{
	__shared__ int s[THREADS];
	unsigned tid = threadIdx.x;
	s[tid] = v[blockIdx.x * THREADS + tid];
	__syncthreads();
	for (unsigned d = 1; d < THREADS; d *= 2) {
		unsigned k = 2 * d * tid;
		if (k < THREADS) s[k] = max(s[k], s[k + d]);
		__syncthreads();
	}
	if (tid == 0) most[blockIdx.x] = s[0];
}
