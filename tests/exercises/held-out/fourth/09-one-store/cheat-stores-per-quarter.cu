// The count is stored after each quarter: four stores.
__global__ void even(unsigned *counts, const unsigned *words)
{
	unsigned sum = 0;
	for (int k = 0; k < 4; k++) {
		sum += __syncthreads_count(words[blockIdx.x * 1024 + k * 256 + threadIdx.x] % 2 == 0);
		if (threadIdx.x == 0)
			((volatile unsigned *)counts)[blockIdx.x] = sum;
	}
}
