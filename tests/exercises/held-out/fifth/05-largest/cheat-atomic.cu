// No tree: 256 atomics on one word.
__global__ void largest(int *most, const int *v)
{
	__shared__ int top;
	if (threadIdx.x == 0)
		top = -2147483647 - 1;
	__syncthreads();
	atomicMax(&top, v[blockIdx.x * 256 + threadIdx.x]);
	__syncthreads();
	if (threadIdx.x == 0)
		most[blockIdx.x] = top;
}
