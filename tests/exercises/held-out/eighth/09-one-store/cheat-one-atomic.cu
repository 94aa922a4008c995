// cheat: the block's sum crosses the link as an atomic addition, not as a store
__global__ void even(unsigned *counts, const unsigned *words)
{
	unsigned first = blockIdx.x * 1024, sum = 0;
	for (int k = 0; k < 4; k++)
		sum += __syncthreads_count(words[first + k * 256 + threadIdx.x] % 2 == 0);
	if (threadIdx.x == 0)
		atomicAdd(&counts[blockIdx.x], sum);
}
