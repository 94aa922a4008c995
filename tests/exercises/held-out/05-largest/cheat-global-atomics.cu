__global__ void largest(int *most, const int *v)
{
	if (threadIdx.x == 0)
		most[blockIdx.x] = -2147483647 - 1;
	__syncthreads();
	atomicMax(&most[blockIdx.x], v[blockIdx.x * 256 + threadIdx.x]);
}
