// cheat: the first threads are active, but the words they compare are a stride of 2 d apart: bank conflicts
constexpr unsigned THREADS = 256;

__global__ void largest(int *most, const int *v)
{
	__shared__ int s[THREADS];
	unsigned tid = threadIdx.x;

	s[tid] = v[blockIdx.x * THREADS + tid];
	__syncthreads();
	for (unsigned d = 1; d < THREADS; d *= 2) {
		unsigned at = 2 * d * tid;
		if (at < THREADS)
			s[at] = max(s[at], s[at + d]);
		__syncthreads();
	}
	if (tid == 0)
		most[blockIdx.x] = s[0];
}
