// No idle thread: each finds the maximum by itself.
constexpr unsigned THREADS = 256;

__global__ void largest(int *most, const int *v)
{
	__shared__ int s[THREADS];
	unsigned tid = threadIdx.x;

	s[tid] = v[blockIdx.x * THREADS + tid];
	__syncthreads();
	int m = s[0];
	for (unsigned k = 1; k < THREADS; k++)
		m = max(m, s[k]);
	if (tid == 0)
		most[blockIdx.x] = m;
}
