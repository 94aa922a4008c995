// honest: a grid-stride loop around it
__global__ void bits(unsigned *counts, const unsigned *words, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		counts[i] = (unsigned)__popc(words[i]);
}
