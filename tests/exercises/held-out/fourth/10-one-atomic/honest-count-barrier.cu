// The barrier counts; blocks that find nothing add nothing.
__global__ void above(unsigned *found, const int *in, int limit, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, mine = 0;
	if (i < n)
		mine = in[i] > limit;
	int count = __syncthreads_count(mine);
	if (threadIdx.x == blockDim.x - 1 && count > 0)
		atomicAdd(found, (unsigned)count);
}
