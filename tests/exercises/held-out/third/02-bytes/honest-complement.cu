// 255 - b is the complement of b.
__global__ void negative(unsigned char *out, const unsigned char *in)
{
	const unsigned *from = reinterpret_cast<const unsigned *>(in);
	unsigned *to = reinterpret_cast<unsigned *>(out);
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	to[i] = ~__ldg(from + i);
}
