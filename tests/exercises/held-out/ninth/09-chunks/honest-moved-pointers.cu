// honest: pointers to the chunk, the index in the vector only as a factor
__global__ void ramp(unsigned *out, const unsigned *in, int first, int count)
{
	const unsigned *from = in + first;
	unsigned *to = out + first;
	unsigned k = threadIdx.x + blockDim.x * blockIdx.x;
	if (k < (unsigned)count)
		to[k] = (first + k) * from[k];
}
