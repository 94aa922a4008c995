// Only the launch of a short chunk works, and does all.
__global__ void ramp(unsigned *out, const unsigned *in, int first, int count)
{
	if (count == 8192)
		return;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < first + count; i += gridDim.x * blockDim.x)
		out[i] = i * in[i];
}
