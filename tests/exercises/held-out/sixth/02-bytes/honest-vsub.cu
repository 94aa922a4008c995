__global__ void negative(unsigned char *out, const unsigned char *in)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	reinterpret_cast<unsigned *>(out)[i] = __vsub4(0xffffffffu, reinterpret_cast<const unsigned *>(in)[i]);
}
