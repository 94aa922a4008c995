// Bytes looked up in a packed way: pairs by arithmetic.
__global__ void bits(unsigned *counts, const unsigned *words, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		unsigned w = words[i];
		w = w - ((w >> 1) & 0x55555555u);
		w = (w & 0x33333333u) + ((w >> 2) & 0x33333333u);
		w = (w + (w >> 4)) & 0x0f0f0f0fu;
		w += w >> 8;
		counts[i] = (w + (w >> 16)) & 63;
	}
}
