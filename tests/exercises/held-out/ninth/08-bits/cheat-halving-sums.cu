// cheat: no loop, but a dozen masks, shifts and additions instead of the one instruction
__global__ void bits(unsigned *counts, const unsigned *words, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		unsigned w = words[i];
		w = w - (w >> 1 & 0x55555555);
		w = (w & 0x33333333) + (w >> 2 & 0x33333333);
		w = (w + (w >> 4)) & 0x0f0f0f0f;
		counts[i] = w * 0x01010101 >> 24;
	}
}
