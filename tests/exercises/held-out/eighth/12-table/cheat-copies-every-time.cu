// cheat: the table is copied again, with two barriers, for every 256 pixels
constexpr int PIXELS = 4096;
__device__ unsigned table[256];

__global__ void gamma(unsigned *out, const unsigned *pixels)
{
	__shared__ volatile unsigned copy[256];
	int first = blockIdx.x * PIXELS;
	for (int i = threadIdx.x; i < PIXELS; i += blockDim.x) {
		copy[threadIdx.x] = *(volatile unsigned *)&table[threadIdx.x];
		__syncthreads();
		out[first + i] = copy[pixels[first + i] % 256];
		__syncthreads();
	}
}
