// Every launch computes all elements up to the end of its chunk, those of earlier chunks once more.
__global__ void ramp(unsigned *out, const unsigned *in, int first, int count)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < first + count; i += gridDim.x * blockDim.x)
		out[i] = i * in[i];
}
