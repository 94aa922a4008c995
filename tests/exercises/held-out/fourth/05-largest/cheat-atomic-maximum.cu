// One word of shared memory, and 256 atomics on it.
__global__ void largest(int *most, const int *v)
{
	__shared__ int s;
	unsigned tid = threadIdx.x;
	if (tid == 0)
		s = -2147483647 - 1;
	__syncthreads();
	atomicMax(&s, v[blockIdx.x * 256 + tid]);
	__syncthreads();
	if (tid == 0)
		most[blockIdx.x] = s;
}
