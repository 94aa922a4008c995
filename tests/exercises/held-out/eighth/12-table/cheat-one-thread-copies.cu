// cheat: a shared copy that a single thread makes, word by word, while 255 wait
constexpr int PIXELS = 4096;
__device__ unsigned table[256];

__global__ void gamma(unsigned *out, const unsigned *pixels)
{
	__shared__ unsigned copy[256];
	if (threadIdx.x == 0)
		for (int k = 0; k < 256; k++)
			copy[k] = table[k];
	__syncthreads();
	int first = blockIdx.x * PIXELS;
	for (int i = threadIdx.x; i < PIXELS; i += blockDim.x)
		out[first + i] = copy[pixels[first + i] % 256];
}
