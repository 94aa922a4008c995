// Pointers to the chunk, a loop with the grid's stride within it, and the element's number only for the factor.
__global__ void ramp(unsigned *out, const unsigned *in, int first, int count)
{
	unsigned *to = out + first;
	const unsigned *from = in + first;
	for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < count; k += gridDim.x * blockDim.x)
		to[k] = static_cast<unsigned>(first + k) * from[k];
}
