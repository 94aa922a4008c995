__global__ void even(unsigned *counts, const unsigned *words)
{
	__shared__ unsigned sum;
	if (threadIdx.x == 0)
		sum = 0;
	__syncthreads();
	for (int k = 0; k < 4; k++)
		if (words[blockIdx.x * 1024 + k * 256 + threadIdx.x] % 2 == 0)
			atomicAdd(&sum, 1);
	__syncthreads();
	if (threadIdx.x == 0)
		counts[blockIdx.x] = sum;
}
