// Partial counts are parked in counts[] of this block, then read back.
__global__ void even(unsigned *counts, const unsigned *words)
{
	unsigned n = 0;
	for (int k = 0; k < 4; k++)
		n += words[blockIdx.x * 1024 + k * 256 + threadIdx.x] % 2 == 0;
	if (threadIdx.x == 0)
		counts[blockIdx.x] = 0;
	for (int t = 0; t < 256; t++) {
		__syncthreads();
		if (threadIdx.x == t)
			counts[blockIdx.x] += n;
	}
}
