__global__ void bits(unsigned *counts, const unsigned *words, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		unsigned w = words[i], c = 0;
		while (w) {
			w &= w - 1;
			c++;
		}
		counts[i] = c;
	}
}
