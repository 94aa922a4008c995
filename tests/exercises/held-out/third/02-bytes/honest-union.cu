// A union of a word and four bytes.
union Pixels {
	unsigned word;
	unsigned char bytes[4];
};

__global__ void negative(unsigned char *out, const unsigned char *in)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	Pixels p;
	p.word = ((const unsigned *)in)[i];
#pragma unroll
	for (int k = 0; k < 4; k++)
		p.bytes[k] = 255 - p.bytes[k];
	((unsigned *)out)[i] = p.word;
}
