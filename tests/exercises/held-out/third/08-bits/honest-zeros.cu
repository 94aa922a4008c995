// All but the zeros.
__global__ void bits(unsigned *counts, const unsigned *words, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		unsigned w = words[i];
		counts[i] = 32 - __popc(~w);
	}
}
