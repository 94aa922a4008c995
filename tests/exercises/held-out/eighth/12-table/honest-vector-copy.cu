// honest: 64 threads copy four words each
constexpr int PIXELS = 4096;
__device__ __align__(16) unsigned table[256];

__global__ void gamma(unsigned *out, const unsigned *pixels)
{
	__shared__ __align__(16) unsigned copy[256];
	if (threadIdx.x < 64)
		((uint4 *)copy)[threadIdx.x] = ((const uint4 *)table)[threadIdx.x];
	__syncthreads();
	const unsigned *from = pixels + blockIdx.x * PIXELS;
	unsigned *to = out + blockIdx.x * PIXELS;
#pragma unroll 4
	for (int i = threadIdx.x; i < PIXELS; i += 256)
		to[i] = copy[from[i] & 255];
}
