// One atomic operation per warp still crosses the link.
__global__ void even(unsigned *counts, const unsigned *words)
{
	int first = blockIdx.x * 1024, sum = 0;
	for (int k = 0; k < 4; k++)
		sum += __popc(__ballot_sync(0xffffffff, words[first + k * 256 + threadIdx.x] % 2 == 0));
	if (threadIdx.x % 32 == 0)
		atomicAdd(&counts[blockIdx.x], sum);
}
