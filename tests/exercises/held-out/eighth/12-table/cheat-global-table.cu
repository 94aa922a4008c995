// cheat: the table only moved to global memory: 32 different words cost up to 32 sectors
constexpr int PIXELS = 4096;
__device__ unsigned table[256];

__global__ void gamma(unsigned *out, const unsigned *pixels)
{
	int first = blockIdx.x * PIXELS;
	for (int i = threadIdx.x; i < PIXELS; i += blockDim.x)
		out[first + i] = __ldg(&table[pixels[first + i] % 256]);
}
