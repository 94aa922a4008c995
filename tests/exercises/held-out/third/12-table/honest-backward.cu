// From the last pixels to the first, and the table copied in reverse.
constexpr int PIXELS = 4096; // per block

__device__ unsigned table[256];

__global__ void gamma(unsigned *out, const unsigned *pixels)
{
	__shared__ unsigned copy[256];
	copy[255 - threadIdx.x] = table[threadIdx.x];
	__syncthreads();

	int first = blockIdx.x * PIXELS;
	for (int i = PIXELS - 256 + threadIdx.x; i >= 0; i -= 256)
		out[first + i] = copy[~pixels[first + i] & 255];
}
