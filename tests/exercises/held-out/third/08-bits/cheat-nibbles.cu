// A table of 16 counts in one 64-bit constant.
__global__ void bits(unsigned *counts, const unsigned *words, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		unsigned w = words[i];
		unsigned sum = 0;
		for (int k = 0; k < 32; k += 4)
			sum += 0x4332322132212110ull >> 4 * (w >> k & 15) & 15;
		counts[i] = sum;
	}
}
