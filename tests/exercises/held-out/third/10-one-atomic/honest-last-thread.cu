// The last thread adds.
__global__ void above(unsigned *found, const int *in, int limit, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int count = __syncthreads_count(i < n ? in[i] > limit : 0);
	if (threadIdx.x == blockDim.x - 1)
		atomicAdd(found, count);
}
