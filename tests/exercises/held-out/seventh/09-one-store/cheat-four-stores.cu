// stores after each of four votes
__global__ void even(unsigned *counts, const unsigned *words)
{
	int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
unsigned c = 0; for (int k = 0; k < 4; k++) { c += __syncthreads_count(words[blockIdx.x * 1024 + 256 * k + tid] % 2 == 0); if (tid == 0) ((volatile unsigned *)counts)[blockIdx.x] = c; }
}
