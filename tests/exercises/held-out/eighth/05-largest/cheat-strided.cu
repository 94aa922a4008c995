// cheat: consecutive threads, but words with a growing stride: up to 16-way bank conflicts
constexpr unsigned THREADS = 256;

__global__ void largest(int *most, const int *v)
{
	__shared__ int s[THREADS];
	unsigned tid = threadIdx.x;
	s[tid] = v[blockIdx.x * THREADS + tid];
	__syncthreads();
	for (unsigned d = 1; d < THREADS; d *= 2) {
		unsigned i = 2 * d * tid;
		if (i < THREADS)
			s[i] = max(s[i], s[i + d]);
		__syncthreads();
	}
	if (tid == 0)
		most[blockIdx.x] = s[0];
}
