__global__ void bits(unsigned *counts, const unsigned *words, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
counts[i] = __popcll((unsigned long long)words[i]);
	}
}
