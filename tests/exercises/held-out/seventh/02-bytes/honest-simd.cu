// a video instruction on words
__global__ void negative(unsigned char *out, const unsigned char *in)
{
	const unsigned *from = (const unsigned *)in + (size_t)blockIdx.x * blockDim.x;
	unsigned *to = (unsigned *)out + (size_t)blockIdx.x * blockDim.x;
	to[threadIdx.x] = __vsub4(0xffffffffu, __ldg(from + threadIdx.x));
}
