// honest: a loop over the chunk from its first to its last element, for any grid
__global__ void ramp(unsigned *out, const unsigned *in, int first, int count)
{
	const int end = first + count, step = gridDim.x * blockDim.x;
	for (int i = first + blockIdx.x * blockDim.x + threadIdx.x; i < end; i += step)
		out[i] = in[i] * i;
}
