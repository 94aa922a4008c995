// Two 2-byte loads and two 2-byte stores instead of one of 4 bytes.
__global__ void negative(unsigned char *out, const unsigned char *in)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	for (int half = 0; half < 2; half++)
		((volatile unsigned short *)out)[2 * i + half] = ~((const volatile unsigned short *)in)[2 * i + half];
}
