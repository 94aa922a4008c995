// The instruction for 64 bits, of which half are zero.
__global__ void bits(unsigned *counts, const unsigned *words, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		unsigned w = words[i];
		counts[i] = __popcll(w);
	}
}
