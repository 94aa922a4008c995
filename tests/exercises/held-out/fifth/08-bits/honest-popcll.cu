// The population count of 64 bits, the upper 32 of them 0.
__global__ void bits(unsigned *counts, const unsigned *words, int n)
{
	const unsigned i = threadIdx.x + blockIdx.x * blockDim.x;
	if (i >= (unsigned)n)
		return;
	counts[i] = __popcll(words[i]);
}
