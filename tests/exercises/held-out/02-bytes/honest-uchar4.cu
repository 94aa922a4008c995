__global__ void negative(unsigned char *out, const unsigned char *in)
{
	int i = threadIdx.x + blockIdx.x * blockDim.x;
	uchar4 pixel = reinterpret_cast<const uchar4 *>(in)[i];
	reinterpret_cast<uchar4 *>(out)[i] =
		make_uchar4(255 - pixel.x, 255 - pixel.y, 255 - pixel.z, 255 - pixel.w);
}
