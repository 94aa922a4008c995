// honest: moves the pointers to the chunk first
__global__ void ramp(unsigned *out, const unsigned *in, int first, int count)
{
	const int k = threadIdx.x + blockDim.x * blockIdx.x;
	const unsigned *from = in + first;
	unsigned *to = out + first;
	if (k < count)
		to[k] = from[k] * (unsigned)(first + k);
}
