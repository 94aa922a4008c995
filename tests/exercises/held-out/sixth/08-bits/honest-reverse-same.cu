__global__ void bits(unsigned *counts, const unsigned *words, int n)
{
	for (int i = n - 1 - (blockIdx.x * blockDim.x + threadIdx.x); i >= 0; i -= gridDim.x * blockDim.x)
		counts[i] = __popc(__brev(words[i]));
}
