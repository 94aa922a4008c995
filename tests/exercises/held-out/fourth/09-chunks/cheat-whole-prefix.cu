// Each launch computes everything from the start of the vector to the end of its chunk.
__global__ void ramp(unsigned *out, const unsigned *in, int first, int count)
{
	int all = gridDim.x * blockDim.x;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < first + count; i += all)
		out[i] = i * in[i];
}
