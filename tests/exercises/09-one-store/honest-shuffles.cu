// Each thread counts its four, shuffles and eight words do the rest.
__global__ void even(unsigned *counts, const unsigned *words)
{
	__shared__ unsigned s[8];
	int t = threadIdx.x;
	unsigned sum = 0;
	for (int k = 0; k < 4; k++)
		sum += ~words[blockIdx.x * 1024 + k * 256 + t] & 1;
	for (int d = 16; d > 0; d /= 2)
		sum += __shfl_down_sync(~0u, sum, d);
	if (t % 32 == 0)
		s[t / 32] = sum;
	__syncthreads();
	if (t == 0) {
		for (int k = 1; k < 8; k++)
			sum += s[k];
		counts[blockIdx.x] = sum;
	}
}
