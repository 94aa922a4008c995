// cheat: every launch computes its chunk and all the chunks before it again
__global__ void ramp(unsigned *out, const unsigned *in, int first, int count)
{
	int threads = gridDim.x * blockDim.x;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < first + count; i += threads)
		out[i] = i * in[i];
}
