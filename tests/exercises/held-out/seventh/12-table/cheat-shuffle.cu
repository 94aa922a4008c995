// eight words per lane, eight shuffles per pixel
constexpr int PIXELS = 4096;
__device__ unsigned table[256];
__global__ void gamma(unsigned *out, const unsigned *pixels)
{
	int first = blockIdx.x * PIXELS, tid = threadIdx.x;
unsigned r[8];
#pragma unroll
for (int k = 0; k < 8; k++) r[k] = table[32 * k + tid % 32]; for (int i = tid; i < PIXELS; i += blockDim.x) { unsigned p = pixels[first + i] % 256, v = 0;
#pragma unroll
for (int k = 0; k < 8; k++) { unsigned x = __shfl_sync(~0u, r[k], p % 32); if (p / 32 == k) v = x; } out[first + i] = v; }
}
