// cheat: no loop, but a dozen masks, shifts, additions and a multiplication
__global__ void bits(unsigned *counts, const unsigned *words, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		unsigned w = words[i];
		w -= w >> 1 & 0x55555555u;
		w = (w & 0x33333333u) + (w >> 2 & 0x33333333u);
		w = (w + (w >> 4)) & 0x0f0f0f0fu;
		counts[i] = w * 0x01010101u >> 24;
	}
}
