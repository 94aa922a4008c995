// The first thread of each block looks at all its elements and adds once.
__global__ void above(unsigned *found, const int *in, int limit, int n)
{
	if (threadIdx.x != 0)
		return;
	int first = blockIdx.x * blockDim.x, count = 0;
	for (int i = first; i < first + (int)blockDim.x && i < n; i++)
		count += in[i] > limit;
	atomicAdd(found, count);
}
