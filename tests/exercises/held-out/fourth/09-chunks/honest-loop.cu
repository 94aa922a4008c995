// A loop over the chunk, right for any grid.
__global__ void ramp(unsigned *out, const unsigned *in, int first, int count)
{
	const int step = gridDim.x * blockDim.x, end = first + count;
	for (int i = first + blockIdx.x * blockDim.x + threadIdx.x; i < end; i += step)
		out[i] = i * in[i];
}
