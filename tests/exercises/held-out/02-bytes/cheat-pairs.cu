// Two 2-byte loads and two 2-byte stores.
__global__ void negative(unsigned char *out, const unsigned char *in)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	for (int k = 0; k < 2; k++)
		((unsigned short *)out)[2 * i + k] = ~((const unsigned short *)in)[2 * i + k];
}
