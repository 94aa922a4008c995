// A loop over eight nibbles and a table packed into one number.
__global__ void bits(unsigned *counts, const unsigned *words, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		unsigned word = words[i], count = 0;
		for (int k = 0; k < 32; k += 4)
			count += 0x4332322132212110ull >> 4 * (word >> k & 15) & 15;
		counts[i] = count;
	}
}
