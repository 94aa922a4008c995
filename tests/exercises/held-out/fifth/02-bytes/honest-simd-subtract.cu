// One word per thread and a bytewise subtraction of the whole word.
__global__ void negative(unsigned char *__restrict__ out, const unsigned char *__restrict__ in)
{
	const unsigned *words = reinterpret_cast<const unsigned *>(in);
	const unsigned i = blockDim.x * blockIdx.x + threadIdx.x;
	reinterpret_cast<unsigned *>(out)[i] = __vsub4(0xffffffffu, __ldg(words + i));
}
