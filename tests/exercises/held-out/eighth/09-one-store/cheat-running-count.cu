// cheat: the block stores its count so far after each of the four rounds
__global__ void even(unsigned *counts, const unsigned *words)
{
	unsigned first = blockIdx.x * 1024, sum = 0;
	volatile unsigned *count = counts + blockIdx.x;
	for (int k = 0; k < 4; k++) {
		sum += __syncthreads_count(words[first + k * 256 + threadIdx.x] % 2 == 0);
		if (threadIdx.x == 0)
			*count = sum;
	}
}
