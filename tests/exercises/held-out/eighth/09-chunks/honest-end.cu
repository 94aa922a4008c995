// honest: compares the element's index with the end of the chunk
__global__ void ramp(unsigned *out, const unsigned *in, int first, int count)
{
	const int end = first + count;
	const int i = first + blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= end)
		return;
	unsigned x = in[i];
	x *= i;
	out[i] = x;
}
