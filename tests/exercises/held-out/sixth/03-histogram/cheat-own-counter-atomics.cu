__global__ void histogram(unsigned *out, const unsigned *data)
{
	__shared__ unsigned counts[16 * 64];
	const unsigned t = threadIdx.x;
	for (unsigned k = t; k < 1024; k += 64)
		counts[k] = 0;
	__syncthreads();
	for (int i = 0; i < 2048; i += 64)
		atomicAdd(&counts[data[blockIdx.x * 2048 + i + t] % 16 * 64 + t], 1);
	__syncthreads();
	if (t < 16) {
		unsigned sum = 0;
		for (int i = 0; i < 64; i++)
			sum += counts[t * 64 + ((i + t) & 63)];
		out[blockIdx.x * 16 + t] = sum;
	}
}
