// one lane of a warp counts for all
__global__ void bits(unsigned *counts, const unsigned *words, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
if (i % 32 == 0) for (int k = i; k < min(n, i + 32); k++) counts[k] = __popc(words[k]);
}
