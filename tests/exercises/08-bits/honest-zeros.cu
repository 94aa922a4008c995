// Counts the zeros and subtracts.
__global__ void bits(unsigned *counts, const unsigned *words, int n)
{
	int i = threadIdx.x + blockIdx.x * blockDim.x;
	if (i < n)
		counts[i] = 32 - __popc(~words[i]);
}
