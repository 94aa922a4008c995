// cheat: a loop over the ones with another instruction, __ffs
__global__ void bits(unsigned *counts, const unsigned *words, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		unsigned w = words[i], count = 0;
		while (int at = __ffs(w)) {
			w ^= 1u << (at - 1);
			count++;
		}
		counts[i] = count;
	}
}
