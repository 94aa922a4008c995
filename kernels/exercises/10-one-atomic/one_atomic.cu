// Task: let each block, not each thread, do one addition to *found.
__global__ void above(unsigned *found, const int *in, int limit, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n && in[i] > limit)
		atomicAdd(found, 1);
}
