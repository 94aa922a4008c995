// bits via leading zeros, one by one
__global__ void bits(unsigned *counts, const unsigned *words, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
if (i < n) { unsigned w = words[i], c = 0; while (w) { w ^= 0x80000000u >> __clz(w); c++; } counts[i] = c; }
}
