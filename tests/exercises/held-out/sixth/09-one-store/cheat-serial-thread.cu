__global__ void even(unsigned *counts, const unsigned *words)
{
	__shared__ unsigned s[256];
	unsigned sum = 0;
	for (int k = 0; k < 4; k++)
		sum += words[blockIdx.x * 1024 + k * 256 + threadIdx.x] % 2 == 0;
	s[threadIdx.x] = sum;
	__syncthreads();
	if (threadIdx.x == 0) {
		sum = 0;
		for (int k = 0; k < 64; k++) {
			uint4 w = ((const uint4 *)s)[k];
			sum += w.x + w.y + w.z + w.w;
		}
		counts[blockIdx.x] = sum;
	}
}
