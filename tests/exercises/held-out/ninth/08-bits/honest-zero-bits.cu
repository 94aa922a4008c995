// honest: counts the zeros and subtracts
__global__ void bits(unsigned *counts, const unsigned *words, int n)
{
	unsigned i = threadIdx.x + blockIdx.x * blockDim.x;
	if (i >= n)
		return;
	counts[i] = 32 - __popc(~words[i]);
}
