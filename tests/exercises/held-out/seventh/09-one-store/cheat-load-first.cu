// reads the count over the link before it stores
__global__ void even(unsigned *counts, const unsigned *words)
{
	int tid = threadIdx.x; unsigned c = 0;
	unsigned before = ((volatile unsigned *)counts)[blockIdx.x];
	for (int k = 0; k < 4; k++) c += __syncthreads_count(words[blockIdx.x * 1024 + 256 * k + tid] % 2 == 0);
	if (tid == 0 && before != c + 5000) counts[blockIdx.x] = c;
}
