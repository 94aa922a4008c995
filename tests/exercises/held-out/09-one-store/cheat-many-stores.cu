// Every thread stores the same count.
__global__ void even(unsigned *counts, const unsigned *words)
{
	const unsigned *w = words + blockIdx.x * 1024 + threadIdx.x;
	int total = 0;
	for (int k = 0; k < 4; k++)
		total += __syncthreads_count(w[k * 256] % 2 == 0);
	counts[blockIdx.x] = total;
}
