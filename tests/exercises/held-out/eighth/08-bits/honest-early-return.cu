// honest: returns past the end, and writes through a reference
__device__ __forceinline__ unsigned ones(unsigned word) { return __popc(word); }

__global__ void bits(unsigned *counts, const unsigned *words, int n)
{
	const unsigned i = threadIdx.x + blockDim.x * blockIdx.x;
	if (i >= (unsigned)n)
		return;
	counts[i] = ones(words[i]);
}
