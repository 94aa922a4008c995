// One load of four bytes, four stores of one.
__global__ void negative(unsigned char *out, const unsigned char *in)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned word = ((const unsigned *)in)[i];
	for (int byte = 0; byte < 4; byte++)
		out[4 * i + byte] = 255 - (word >> 8 * byte & 255);
}
