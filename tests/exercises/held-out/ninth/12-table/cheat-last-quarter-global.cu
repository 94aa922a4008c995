// cheat: three quarters of the pixels use the shared copy, the last quarter global memory
constexpr int PIXELS = 4096; // per block

__device__ unsigned table[256];

__global__ void gamma(unsigned *out, const unsigned *pixels)
{
	__shared__ unsigned copy[256];
	copy[threadIdx.x] = table[threadIdx.x];
	__syncthreads();

	int first = blockIdx.x * PIXELS;
	for (int i = threadIdx.x; i < PIXELS; i += blockDim.x)
		out[first + i] = i < PIXELS * 3 / 4 ? copy[pixels[first + i] % 256]
			: table[pixels[first + i] % 256];
}
