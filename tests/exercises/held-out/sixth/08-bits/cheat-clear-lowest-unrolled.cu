__global__ void bits(unsigned *counts, const unsigned *words, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
unsigned w = words[i];
		w -= w >> 1 & 0x55555555;
		w = (w & 0x33333333) + (w >> 2 & 0x33333333);
		counts[i] = ((w + (w >> 4) & 0x0f0f0f0f) * 0x01010101) >> 24;
	}
}
