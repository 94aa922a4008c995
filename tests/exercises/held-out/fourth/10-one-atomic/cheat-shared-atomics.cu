// An atomic in shared memory per element found, then one addition.
__global__ void above(unsigned *found, const int *in, int limit, int n)
{
	__shared__ unsigned count;
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (threadIdx.x == 0)
		count = 0;
	__syncthreads();
	if (i < n && in[i] > limit)
		for (int k = 0; k < 1; k++)
			atomicInc(&count, 0xffffffffu);
	__syncthreads();
	if (threadIdx.x < 32)
		atomicAdd(found, threadIdx.x ? 0 : count);
}
