__global__ void even(unsigned *counts, const unsigned *words)
{
	const unsigned *mine = words + blockIdx.x * 1024 + threadIdx.x;
	int total = 0;
#pragma unroll
	for (int k = 0; k < 4; k++)
		total += __syncthreads_count(!(mine[k * 256] & 1));
	if (threadIdx.x == 0)
		counts[blockIdx.x] = total;
}
