// Four bytes are one uchar4, which is read and written in one access. The
// pointers are right for it: buffers begin at multiples of 256 bytes, and 4 i
// is a multiple of 4.
//
// As many threads as there are bytes divided by four.
__global__ void negative(unsigned char *out, const unsigned char *in)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	uchar4 b = ((const uchar4 *)in)[i];
	((uchar4 *)out)[i] =
		make_uchar4(255 - b.x, 255 - b.y, 255 - b.z, 255 - b.w);
}
