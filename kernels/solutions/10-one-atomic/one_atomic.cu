// The barrier counts, and one thread adds.
__global__ void above(unsigned *found, const int *in, int limit, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int count = __syncthreads_count(i < n && in[i] > limit);
	if (threadIdx.x == 0)
		atomicAdd(found, count);
}
