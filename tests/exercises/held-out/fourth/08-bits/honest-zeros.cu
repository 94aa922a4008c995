// 32 minus the number of zeros.
__global__ void bits(unsigned *counts, const unsigned *words, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
		counts[i] = 32 - __popc(~words[i]);
}
