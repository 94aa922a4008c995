// 255 - b is the bitwise complement of b: four bytes in one operation.
__global__ void negative(unsigned char *out, const unsigned char *in)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	((unsigned *)out)[i] = ~((const unsigned *)in)[i];
}
