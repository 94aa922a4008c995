__global__ void uneven(int *sums, const int *v, int n)
{
	__shared__ int s;
	int i = blockIdx.x * 256 + threadIdx.x;
	if (threadIdx.x == 0)
		s = 0;
	__syncthreads();
	if (i < n)
		atomicAdd(&s, v[i]);
	__syncthreads();
	if (threadIdx.x == 0)
		sums[blockIdx.x] = s;
}
