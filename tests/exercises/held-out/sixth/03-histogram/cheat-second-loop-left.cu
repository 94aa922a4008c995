__global__ void histogram(unsigned *out, const unsigned *data)
{
	__shared__ unsigned counts[16][64];
	unsigned tid = threadIdx.x;
	for (int bin = 0; bin < 16; bin++)
		counts[bin][tid] = 0;
	for (int i = 0; i < 2048; i += 64)
		counts[data[blockIdx.x * 2048 + i + tid] % 16][tid]++;
	__syncthreads();
	if (tid < 16) {
		unsigned sum = 0;
		for (int i = 0; i < 64; i++)
			sum += counts[tid][i];
		out[blockIdx.x * 16 + tid] = sum;
	}
}
