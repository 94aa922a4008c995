// honest: a structure of four bytes with an alignment of four, copied as a whole
struct __align__(4) Quad {
	unsigned char byte[4];
};

__global__ void negative(unsigned char *out, const unsigned char *in)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	uchar4 q = *reinterpret_cast<const uchar4 *>(in + 4 * i), r;
	r.x = 255 ^ q.x;
	r.y = 255 ^ q.y;
	r.z = 255 ^ q.z;
	r.w = 255 ^ q.w;
	*reinterpret_cast<uchar4 *>(out + 4 * i) = r;
}
