__global__ void histogram(unsigned *out, const unsigned *data)
{
	__shared__ unsigned counts[64][17];
	unsigned tid = threadIdx.x;
	for (int bin = 0; bin < 16; bin++)
		counts[tid][bin] = 0;
	for (int i = 0; i < 2048; i += 64)
		counts[tid][data[blockIdx.x * 2048 + i + tid] % 16]++;
	__syncthreads();
	if (tid < 16) {
		unsigned sum = 0;
		for (int i = 0; i < 64; i++)
			sum += counts[i][tid];
		out[blockIdx.x * 16 + tid] = sum;
	}
}
