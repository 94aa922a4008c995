// a table of 16 entries
__constant__ unsigned char t[16] = {0,1,1,2,1,2,2,3,1,2,2,3,2,3,3,4};
__global__ void bits(unsigned *counts, const unsigned *words, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
if (i < n) { unsigned w = words[i], c = 0; for (int k = 0; k < 32; k += 4) c += t[w >> k & 15]; counts[i] = c; }
}
