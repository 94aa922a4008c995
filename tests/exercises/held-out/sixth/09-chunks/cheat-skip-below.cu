__global__ void ramp(unsigned *out, const unsigned *in, int first, int count)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < first + count; i += gridDim.x * blockDim.x)
		if (i >= first)
			out[i] = i * in[i];
}
