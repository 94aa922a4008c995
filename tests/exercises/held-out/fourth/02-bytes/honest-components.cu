// uchar4 and its components.
__global__ void negative(unsigned char *out, const unsigned char *in)
{
	const uchar4 *from = (const uchar4 *)in + blockIdx.x * blockDim.x;
	uchar4 *to = (uchar4 *)out + blockIdx.x * blockDim.x;
	uchar4 p = from[threadIdx.x];
	p.x = 255 - p.x;
	p.y = 255 - p.y;
	p.z = 255 - p.z;
	p.w = 255 - p.w;
	to[threadIdx.x] = p;
}
