__global__ void largest(int *most, const int *v)
{
	__shared__ int s;
	if (threadIdx.x == 0)
		s = INT_MIN;
	__syncthreads();
	atomicMax(&s, v[blockIdx.x * 256 + threadIdx.x]);
	__syncthreads();
	if (threadIdx.x == 0)
		most[blockIdx.x] = s;
}
