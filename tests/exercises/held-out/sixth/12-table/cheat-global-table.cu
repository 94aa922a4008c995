__device__ unsigned table[256];
__global__ void gamma(unsigned *out, const unsigned *pixels)
{
	int first = blockIdx.x * 4096;
	for (int i = threadIdx.x; i < 4096; i += blockDim.x)
		out[first + i] = __ldg(table + pixels[first + i] % 256);
}
