// cheat: no divergence, because all 256 threads compare in all eight rounds, with two barriers each
constexpr unsigned THREADS = 256;

__global__ void largest(int *most, const int *v)
{
	__shared__ int s[THREADS];
	unsigned tid = threadIdx.x;

	s[tid] = v[blockIdx.x * THREADS + tid];
	__syncthreads();
	for (unsigned d = 1; d < THREADS; d *= 2) {
		int m = max(s[tid], s[tid ^ d]);
		__syncthreads();
		s[tid] = m;
		__syncthreads();
	}
	if (tid == 0)
		most[blockIdx.x] = s[0];
}
