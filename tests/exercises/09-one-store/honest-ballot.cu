// Votes of the warps, one shared atomic per warp.
__global__ void even(unsigned *counts, const unsigned *words)
{
	__shared__ unsigned s;
	if (threadIdx.x == 0)
		s = 0;
	__syncthreads();
	unsigned sum = 0;
	for (int k = 0; k < 4; k++)
		sum += __popc(__ballot_sync(~0u, words[blockIdx.x * 1024 + k * 256 + threadIdx.x] % 2 == 0));
	if (threadIdx.x % 32 == 0)
		atomicAdd(&s, sum);
	__syncthreads();
	if (threadIdx.x == 0)
		counts[blockIdx.x] = s;
}
