// thread 0 reads 1024 words
__global__ void even(unsigned *counts, const unsigned *words)
{
	int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
if (tid == 0) { unsigned c = 0; for (int k = 0; k < 1024; k++) c += words[blockIdx.x * 1024 + k] % 2 == 0; counts[blockIdx.x] = c; }
}
