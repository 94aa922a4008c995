// honest: the threads add their counts of four words to a word of shared memory
__global__ void even(unsigned *counts, const unsigned *words)
{
	__shared__ unsigned total;
	if (threadIdx.x == 0)
		total = 0;
	__syncthreads();
	unsigned own = 0;
	for (int k = 0; k < 4; k++)
		own += ~words[blockIdx.x * 1024 + k * 256 + threadIdx.x] & 1;
	atomicAdd(&total, own);
	__syncthreads();
	if (threadIdx.x == 0)
		counts[blockIdx.x] = total;
}
