__global__ void negative(unsigned char *out, const unsigned char *in)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned w = ((const unsigned *)in)[i];
	for (int b = 0; b < 4; b++)
		out[4 * i + b] = ~(w >> 8 * b);
}
