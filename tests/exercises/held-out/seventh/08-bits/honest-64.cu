// 64 bits
__global__ void bits(unsigned *counts, const unsigned *words, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
if (i >= n) return; const unsigned *w = words + (size_t)i; counts[i] = __popcll(*w);
}
