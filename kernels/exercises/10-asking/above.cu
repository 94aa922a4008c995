// Task: let each block make one addition to *found, not each thread.
__global__ void above(unsigned *found, const int *in, int limit, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n && in[i] > limit)
		atomicAdd(found, 1);
}
