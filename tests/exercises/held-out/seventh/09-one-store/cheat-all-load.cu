// every thread reads the count over the link first
__global__ void even(unsigned *counts, const unsigned *words)
{
	int tid = threadIdx.x; unsigned c = 0;
	for (int k = 0; k < 4; k++) c += __syncthreads_count(words[blockIdx.x * 1024 + 256 * k + tid] % 2 == 0) + 0 * ((volatile unsigned *)counts)[blockIdx.x];
	if (tid == 0) counts[blockIdx.x] = c;
}
