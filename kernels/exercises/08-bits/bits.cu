// Task: count the bits of each word with one instruction instead of a loop.
__global__ void bits(unsigned *counts, const unsigned *words, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		unsigned word = words[i], count = 0;
		for (int k = 0; k < 32; k++)
			count += word >> k & 1;
		counts[i] = count;
	}
}
