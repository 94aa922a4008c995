// a population count of each byte
__global__ void bits(unsigned *counts, const unsigned *words, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
if (i < n) { unsigned w = words[i]; unsigned c = 0;
#pragma unroll
for (int k = 0; k < 4; k++) { unsigned b = w >> 8 * k & 255, r; asm volatile("popc.b32 %0, %1;" : "=r"(r) : "r"(b)); c += r; } counts[i] = c; }
}
