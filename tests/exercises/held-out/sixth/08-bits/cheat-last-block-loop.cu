__global__ void bits(unsigned *counts, const unsigned *words, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
unsigned w = words[i], c = 0;
		if (blockIdx.x == 3) {
			for (int k = 0; k < 32; k++)
				c += w >> k & 1;
		} else
			c = __popc(w);
		counts[i] = c;
	}
}
