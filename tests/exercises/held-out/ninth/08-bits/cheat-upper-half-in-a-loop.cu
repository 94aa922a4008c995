// cheat: the lower 16 bits with the instruction, the upper 16 with the loop
__global__ void bits(unsigned *counts, const unsigned *words, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		unsigned word = words[i], count = __popc(word & 0xffff);
		for (int k = 16; k < 32; k++)
			count += word >> k & 1;
		counts[i] = count;
	}
}
