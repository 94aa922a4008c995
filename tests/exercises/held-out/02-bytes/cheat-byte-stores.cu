// One load, four stores.
__global__ void negative(unsigned char *out, const unsigned char *in)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned v = ~((const unsigned *)in)[i];
	for (int k = 0; k < 4; k++)
		out[4 * i + k] = v >> 8 * k;
}
