// The 16 threads that sum start at different columns.
__global__ void histogram(unsigned *out, const unsigned *data)
{
	__shared__ unsigned counts[16 * 64];
	unsigned tid = threadIdx.x;
	for (int k = tid; k < 16 * 64; k += 64)
		counts[k] = 0;
	for (int i = 0; i < 2048; i += 64) {
		unsigned bin = data[blockIdx.x * 2048 + i + tid] % 16;
		counts[64 * bin + tid] += 1;
	}
	__syncthreads();
	if (tid < 16) {
		unsigned sum = 0;
#pragma unroll 8
		for (unsigned i = 0; i < 64; i++)
			sum += counts[64 * tid + (i + tid & 63)];
		out[blockIdx.x * 16 + tid] = sum;
	}
}
