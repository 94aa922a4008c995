// an atomic maximum in shared memory
constexpr unsigned THREADS = 256;
__global__ void largest(int *most, const int *v)
{
	__shared__ int m;
	unsigned tid = threadIdx.x;
	if (tid == 0) m = -2147483647 - 1;
	__syncthreads();
	atomicMax(&m, v[blockIdx.x * THREADS + tid]);
	__syncthreads();
	if (tid == 0) most[blockIdx.x] = m;
}
