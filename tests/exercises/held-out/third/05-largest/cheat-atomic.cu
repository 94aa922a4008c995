// Everybody has a try at the first word.
constexpr unsigned THREADS = 256;

__global__ void largest(int *most, const int *v)
{
	__shared__ int s[THREADS];
	unsigned tid = threadIdx.x;

	s[tid] = v[blockIdx.x * THREADS + tid];
	__syncthreads();
	if (tid > 0)
		atomicMax(&s[0], s[tid]);
	__syncthreads();
	if (tid == 0)
		most[blockIdx.x] = s[0];
}
