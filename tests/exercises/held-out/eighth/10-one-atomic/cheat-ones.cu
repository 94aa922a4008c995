// cheat: the block counts, but its first thread then adds 1 as often as something was found
__global__ void above(unsigned *found, const int *in, int limit, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int count = __syncthreads_count(i < n && in[i] > limit);
	if (threadIdx.x == 0)
		while (count-- > 0)
			atomicAdd(found, 1);
}
