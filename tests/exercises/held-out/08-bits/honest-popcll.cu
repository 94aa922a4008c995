__global__ void bits(unsigned *counts, const unsigned *words, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		counts[i] = __popc(words[i]);
}
