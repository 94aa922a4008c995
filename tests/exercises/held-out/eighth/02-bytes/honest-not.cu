// honest: one unsigned per thread, inverted by a single complement
__global__ void negative(unsigned char *out, const unsigned char *in)
{
	const unsigned *words = reinterpret_cast<const unsigned *>(in);
	unsigned *inverted = reinterpret_cast<unsigned *>(out);
	unsigned i = threadIdx.x + blockIdx.x * blockDim.x;
	inverted[i] = ~words[i];
}
