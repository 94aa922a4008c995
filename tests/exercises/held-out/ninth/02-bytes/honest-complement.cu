// honest: a word, and 255 - b is ~b in each byte
__global__ void negative(unsigned char *out, const unsigned char *in)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	const unsigned *from = reinterpret_cast<const unsigned *>(in);
	unsigned *to = reinterpret_cast<unsigned *>(out);
	to[i] = ~from[i];
}
