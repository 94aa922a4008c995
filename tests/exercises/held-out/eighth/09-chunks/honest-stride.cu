// honest: a grid-stride loop within the chunk
__global__ void ramp(unsigned *out, const unsigned *in, int first, int count)
{
	int threads = gridDim.x * blockDim.x;
	for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < count; k += threads) {
		int i = first + k;
		out[i] = i * in[i];
	}
}
