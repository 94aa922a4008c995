__global__ void even(unsigned *counts, const unsigned *words)
{
	__shared__ unsigned sum;
	if (threadIdx.x == 0)
		sum = 0;
	__syncthreads();
	unsigned own = 0;
	for (int k = 0; k < 4; k++)
		own += words[blockIdx.x * 1024 + k * 256 + threadIdx.x] % 2 == 0;
	atomicAdd(&sum, own);
	__syncthreads();
	if (threadIdx.x == 0)
		counts[blockIdx.x] = sum;
}
