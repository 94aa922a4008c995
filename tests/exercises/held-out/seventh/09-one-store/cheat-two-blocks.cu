// every second block counts for two blocks and stores both
__global__ void even(unsigned *counts, const unsigned *words)
{
	if (blockIdx.x % 2) return;
	for (unsigned b = blockIdx.x; b < blockIdx.x + 2 && b < gridDim.x; b++) {
		unsigned c = 0;
		for (int k = 0; k < 4; k++) c += __syncthreads_count(words[b * 1024 + 256 * k + threadIdx.x] % 2 == 0);
		if (threadIdx.x == 0) counts[b] = c;
	}
}
