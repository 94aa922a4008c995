// one load of a word, four stores of a byte
__global__ void negative(unsigned char *out, const unsigned char *in)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	uchar4 v = ((const uchar4 *)in)[i];
	volatile unsigned char *o = out + 4 * i;
	o[0] = 255 - v.x; o[1] = 255 - v.y; o[2] = 255 - v.z; o[3] = 255 - v.w;
}
