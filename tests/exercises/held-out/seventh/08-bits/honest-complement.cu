// the zeros, from 32
__global__ void bits(unsigned *counts, const unsigned *words, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
if (i < n) counts[i] = 32 - __popc(~words[i]);
}
