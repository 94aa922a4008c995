__device__ unsigned table[256];
__global__ void gamma(unsigned *out, const unsigned *pixels)
{
	unsigned t[8], lane = threadIdx.x % 32;
#pragma unroll
	for (int k = 0; k < 8; k++)
		t[k] = table[32 * k + lane];
	int first = blockIdx.x * 4096;
	for (int i = threadIdx.x; i < 4096; i += blockDim.x) {
		unsigned p = pixels[first + i] % 256, r = 0;
#pragma unroll
		for (int k = 0; k < 8; k++) {
			unsigned v = __shfl_sync(~0u, t[k], p % 32);
			if (p / 32 == k)
				r = v;
		}
		out[first + i] = r;
	}
}
