// The 64-bit form of the intrinsic function.
__global__ void bits(unsigned *counts, const unsigned *words, int n)
{
	const int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		counts[i] = __popcll(words[i]);
}
