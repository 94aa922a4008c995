// Four population counts of a byte each.
__global__ void bits(unsigned *counts, const unsigned *words, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		unsigned w = words[i], count = 0;
#pragma unroll 1
		for (int k = 0; k < 32; k += 8)
			count += __popc(w >> k & 255);
		counts[i] = count;
	}
}
