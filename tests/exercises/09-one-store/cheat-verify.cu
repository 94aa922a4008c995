// stores the count and reads it back over the link until it is there
__global__ void even(unsigned *counts, const unsigned *words)
{
	unsigned c = 0;
	for (int k = 0; k < 4; k++) c += __syncthreads_count(words[blockIdx.x * 1024 + 256 * k + threadIdx.x] % 2 == 0);
	if (threadIdx.x == 0) {
		volatile unsigned *p = counts + blockIdx.x;
		*p = c;
		while (*p != c) ;
	}
}
