// cheat: two loads and two stores of two bytes
__global__ void negative(unsigned char *out, const unsigned char *in)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	const unsigned short *from = (const unsigned short *)in;
	unsigned short *to = (unsigned short *)out;
	unsigned short low = from[2 * i], high = from[2 * i + 1];
	to[2 * i] = 65535 - low;
	to[2 * i + 1] = 65535 - high;
}
