// One shared atomic per warp, then one global per block.
__global__ void above(unsigned *found, const int *in, int limit, int n)
{
	__shared__ unsigned sum;
	if (threadIdx.x == 0)
		sum = 0;
	__syncthreads();
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned count = __popc(__ballot_sync(0xffffffff, i < n && in[i] > limit));
	if ((threadIdx.x & 31) == 0)
		atomicAdd(&sum, count);
	__syncthreads();
	if (threadIdx.x == 0)
		atomicAdd(found, sum);
}
