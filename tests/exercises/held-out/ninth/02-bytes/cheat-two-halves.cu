// cheat: two loads and two stores of two bytes each
__global__ void negative(unsigned char *out, const unsigned char *in)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	const ushort *from = (const ushort *)in;
	ushort *to = (ushort *)out;
	for (int k = 0; k < 2; k++)
		to[2 * i + k] = 0xffff - from[2 * i + k];
}
