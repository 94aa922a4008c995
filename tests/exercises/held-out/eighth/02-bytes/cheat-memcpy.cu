// cheat: memcpy from and to a pointer to bytes is compiled to four accesses of one byte each
__global__ void negative(unsigned char *out, const unsigned char *in)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned word;
	memcpy(&word, in + 4 * i, 4);
	word = ~word;
	memcpy(out + 4 * i, &word, 4);
}
