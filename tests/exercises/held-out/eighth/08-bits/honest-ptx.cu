// honest: the instruction written in PTX
__global__ void bits(unsigned *counts, const unsigned *words, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		unsigned count;
		asm("popc.b32 %0, %1;" : "=r"(count) : "r"(words[i]));
		counts[i] = count;
	}
}
