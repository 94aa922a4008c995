// One thread counts 1024 words and stores once.
__global__ void even(unsigned *counts, const unsigned *words)
{
	if (threadIdx.x)
		return;
	unsigned sum = 0;
	for (int k = 0; k < 1024; k++)
		sum += words[blockIdx.x * 1024 + k] % 2 == 0;
	counts[blockIdx.x] = sum;
}
