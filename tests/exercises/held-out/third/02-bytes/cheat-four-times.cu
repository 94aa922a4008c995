// The whole word is loaded once for each byte.
__global__ void negative(unsigned char *out, const unsigned char *in)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned result = 0;
	for (int byte = 0; byte < 4; byte++)
		result |= ~((const volatile unsigned *)in)[i] & 255u << 8 * byte;
	((unsigned *)out)[i] = result;
}
