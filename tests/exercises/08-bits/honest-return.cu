// Returns early, reads through the read-only path.
__global__ void bits(unsigned *counts, const unsigned *__restrict__ words, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	counts[i] = __popc(__ldg(words + i));
}
