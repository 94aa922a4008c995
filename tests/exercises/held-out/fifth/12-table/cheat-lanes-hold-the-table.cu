// Each lane holds eight entries; every pixel tries eight shuffles to find its own.
__device__ unsigned table[256];
__global__ void gamma(unsigned *out, const unsigned *pixels)
{
	unsigned lane = threadIdx.x % 32, held[8];
	for (int k = 0; k < 8; k++)
		held[k] = table[32 * k + lane];
	for (int i = threadIdx.x; i < 4096; i += blockDim.x) {
		unsigned p = pixels[blockIdx.x * 4096 + i] % 256, found = 0;
		for (int k = 0; k < 8; k++) {
			unsigned x = __shfl_sync(0xffffffff, held[k], p % 32);
			if (p / 32 == k)
				found = x;
		}
		out[blockIdx.x * 4096 + i] = found;
	}
}
