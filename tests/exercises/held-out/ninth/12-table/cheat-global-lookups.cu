// cheat: the table is in global memory and is looked up there: a sector per different word
constexpr int PIXELS = 4096; // per block

__device__ unsigned table[256];

__global__ void gamma(unsigned *out, const unsigned *pixels)
{
	int first = blockIdx.x * PIXELS;
	for (int i = threadIdx.x; i < PIXELS; i += blockDim.x)
		out[first + i] = table[pixels[first + i] % 256];
}
