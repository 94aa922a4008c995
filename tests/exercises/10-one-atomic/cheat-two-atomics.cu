__global__ void above(unsigned *found, const int *in, int limit, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int c = __syncthreads_count(i < n && in[i] > limit);
	if (threadIdx.x < 2)
		atomicAdd(found, threadIdx.x ? c / 2 : c - c / 2);
}
