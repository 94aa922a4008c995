// honest: a counter in shared memory, to which each warp adds
__global__ void above(unsigned *found, const int *in, int limit, int n)
{
	__shared__ unsigned in_block;
	if (threadIdx.x == 0)
		in_block = 0;
	__syncthreads();
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned votes = __ballot_sync(~0u, i < n && in[i] > limit);
	if (threadIdx.x % 32 == 0)
		atomicAdd(&in_block, __popc(votes));
	__syncthreads();
	if (threadIdx.x == 0)
		atomicAdd(found, in_block);
}
