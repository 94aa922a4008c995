// Thread 0 counts for the block.
__global__ void above(unsigned *found, const int *in, int limit, int n)
{
	int first = blockIdx.x * blockDim.x;
	unsigned count = __syncthreads_count(0);
	if (threadIdx.x)
		return;
	for (int i = first; i < min(first + (int)blockDim.x, n); i++)
		count += in[i] > limit;
	atomicAdd(found, count);
}
