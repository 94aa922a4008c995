// PTX
__global__ void bits(unsigned *counts, const unsigned *words, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
if (i >= n) return; unsigned c; asm("popc.b32 %0, %1;" : "=r"(c) : "r"(__ldg(words + i))); counts[i] = c;
}
