// One access per block, but an atomic one, not a store.
__global__ void even(unsigned *counts, const unsigned *words)
{
	int first = blockIdx.x * 1024, sum = 0;
	for (int k = 0; k < 4; k++)
		sum += __syncthreads_count(words[first + k * 256 + threadIdx.x] % 2 == 0);
	if (threadIdx.x == 0)
		atomicAdd(&counts[blockIdx.x], sum);
}
