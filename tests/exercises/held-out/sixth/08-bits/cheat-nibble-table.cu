__global__ void bits(unsigned *counts, const unsigned *words, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
unsigned w = words[i], c = 0;
		for (int k = 0; k < 32; k += 4)
			c += 0x4332322132212110ull >> (w >> k & 15) * 4 & 15;
		counts[i] = c;
	}
}
