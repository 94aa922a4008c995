__global__ void negative(unsigned char *out, const unsigned char *in)
{
	const unsigned n = gridDim.x * blockDim.x;
	const unsigned *from = (const unsigned *)in;
	unsigned *to = (unsigned *)out;
	for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += n)
		__stcg(to + i, 0xffffffffu - __ldcg(from + i));
}
