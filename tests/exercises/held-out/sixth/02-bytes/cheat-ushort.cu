__global__ void negative(unsigned char *out, const unsigned char *in)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned short a = ((const unsigned short *)in)[2 * i], b = ((const unsigned short *)in)[2 * i + 1];
	((unsigned *)out)[i] = ~(a | (unsigned)b << 16);
}
