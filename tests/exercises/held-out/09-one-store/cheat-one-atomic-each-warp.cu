// One atomic per warp crosses the link; thread 0 stores zero first.
__global__ void even(unsigned *counts, const unsigned *words)
{
	unsigned n = 0;
	for (int k = 0; k < 4; k++)
		n += __popc(__ballot_sync(~0u, words[blockIdx.x * 1024 + k * 256 + threadIdx.x] % 2 == 0));
	if (threadIdx.x % 32 == 0)
		atomicAdd(&counts[blockIdx.x], n);
}
