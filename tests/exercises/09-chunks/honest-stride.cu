// A grid-stride loop over the chunk.
__global__ void ramp(unsigned *out, const unsigned *in, int first, int count)
{
	int end = first + count;
	for (int i = first + blockIdx.x * blockDim.x + threadIdx.x; i < end; i += gridDim.x * blockDim.x)
		out[i] = i * in[i];
}
