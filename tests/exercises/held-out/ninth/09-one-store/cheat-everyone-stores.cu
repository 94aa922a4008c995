// cheat: the sum is found in the block, but all 256 threads send it: a store over the link per warp
constexpr int THREADS = 256;
constexpr int EACH = 4;

__global__ void even(unsigned *counts, const unsigned *words)
{
	int first = blockIdx.x * THREADS * EACH;
	unsigned sum = 0;
	for (int k = 0; k < EACH; k++)
		sum += __syncthreads_count(words[first + k * THREADS + threadIdx.x] % 2 == 0);
	counts[blockIdx.x] = sum;
}
