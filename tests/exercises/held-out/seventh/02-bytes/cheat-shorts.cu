// two loads and two stores of two bytes
__global__ void negative(unsigned char *out, const unsigned char *in)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	const volatile unsigned short *s = (const unsigned short *)in + 2 * i;
	volatile unsigned short *o = (unsigned short *)out + 2 * i;
	o[0] = ~s[0]; o[1] = ~s[1];
}
