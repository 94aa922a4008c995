// cheat: three of four words are counted in the block, the fourth goes over the link with an atomic per even word
constexpr int THREADS = 256;
constexpr int EACH = 4;

__global__ void even(unsigned *counts, const unsigned *words)
{
	int first = blockIdx.x * THREADS * EACH;
	unsigned sum = 0;
	for (int k = 0; k < EACH - 1; k++)
		sum += __syncthreads_count(words[first + k * THREADS + threadIdx.x] % 2 == 0);
	if (threadIdx.x == 0)
		counts[blockIdx.x] = sum;
	__syncthreads();
	if (words[first + (EACH - 1) * THREADS + threadIdx.x] % 2 == 0)
		atomicAdd(&counts[blockIdx.x], 1u);
}
