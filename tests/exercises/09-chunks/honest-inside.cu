// The test encloses the work.
__global__ void ramp(unsigned *out, const unsigned *in, int first, int count)
{
	int k = blockIdx.x * blockDim.x + threadIdx.x;
	if (k < count)
		out[first + k] = (first + k) * in[first + k];
}
