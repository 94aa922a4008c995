// honest: the instruction written in PTX
__device__ unsigned population(unsigned word)
{
	unsigned count;
	asm("popc.b32 %0, %1;" : "=r"(count) : "r"(word));
	return count;
}

__global__ void bits(unsigned *counts, const unsigned *words, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		counts[i] = population(words[i]);
}
