// cheat: eight lookups in a table of the counts of all half-bytes
__constant__ unsigned char ones_of[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};

__global__ void bits(unsigned *counts, const unsigned *words, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		unsigned count = 0;
#pragma unroll
		for (unsigned w = words[i], k = 0; k < 32; k += 4)
			count += ones_of[w >> k & 15];
		counts[i] = count;
	}
}
