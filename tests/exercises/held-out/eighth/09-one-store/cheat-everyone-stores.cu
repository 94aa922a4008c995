// cheat: all 256 threads store the block's count: the same word eight times, once per warp
__global__ void even(unsigned *counts, const unsigned *words)
{
	unsigned first = blockIdx.x * 1024, sum = 0;
	for (int k = 0; k < 4; k++)
		sum += __syncthreads_count(words[first + k * 256 + threadIdx.x] % 2 == 0);
	counts[blockIdx.x] = sum;
}
