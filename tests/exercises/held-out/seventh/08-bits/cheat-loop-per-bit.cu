// the instruction, once per bit in a loop
__global__ void bits(unsigned *counts, const unsigned *words, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
if (i < n) { unsigned w = words[i], c = 0;
#pragma unroll 1
for (int k = 0; k < 32; k++) c += __popc(w & 1u << k); counts[i] = c; }
}
