__global__ void even(unsigned *counts, const unsigned *words)
{
	if (threadIdx.x == 0) {
		unsigned n = 0;
		for (int k = 0; k < 1024; k++)
			n += words[blockIdx.x * 1024 + k] % 2 == 0;
		counts[blockIdx.x] = n;
	}
}
