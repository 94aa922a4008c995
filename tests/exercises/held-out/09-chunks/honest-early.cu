__global__ void ramp(unsigned *out, const unsigned *in, int first, int count)
{
	unsigned k = blockDim.x * blockIdx.x + threadIdx.x;
	if (k >= (unsigned)count)
		return;
	unsigned i = first + k;
	out[i] = in[i] * i;
}
