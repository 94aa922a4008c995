// cheat: one load of four bytes, but still four stores of one
__global__ void negative(unsigned char *out, const unsigned char *in)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	uchar4 b = ((const uchar4 *)in)[i];
	out[4 * i] = 255 - b.x;
	out[4 * i + 1] = 255 - b.y;
	out[4 * i + 2] = 255 - b.z;
	out[4 * i + 3] = 255 - b.w;
}
