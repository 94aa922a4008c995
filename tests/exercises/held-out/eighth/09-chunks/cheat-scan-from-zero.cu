// cheat: every launch walks through the whole vector up to its chunk and skips what comes before
__global__ void ramp(unsigned *out, const unsigned *in, int first, int count)
{
	int threads = gridDim.x * blockDim.x;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < first + count; i += threads)
		if (i >= first)
			out[i] = i * in[i];
}
