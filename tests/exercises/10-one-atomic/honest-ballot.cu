// Votes of warps, a shared counter, one addition per block.
__global__ void above(unsigned *found, const int *in, int limit, int n)
{
	__shared__ unsigned sums[8];
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned votes = __ballot_sync(~0u, i < n && in[i] > limit);
	if (threadIdx.x % 32 == 0)
		sums[threadIdx.x / 32] = __popc(votes);
	__syncthreads();
	if (threadIdx.x == 0) {
		unsigned sum = 0;
		for (int k = 0; k < 8; k++)
			sum += sums[k];
		atomicAdd(found, sum);
	}
}
