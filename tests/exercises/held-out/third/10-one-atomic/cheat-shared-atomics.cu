// Every thread adds in shared memory, hits or not.
__global__ void above(unsigned *found, const int *in, int limit, int n)
{
	__shared__ unsigned sum;
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	sum = 0;
	__syncthreads();
	for (int turn = 0; turn < 32; turn++)
		if (threadIdx.x % 32 == turn)
			atomicAdd(&sum, i < n && in[i] > limit);
	__syncthreads();
	if (threadIdx.x == 0)
		atomicAdd(found, sum);
}
