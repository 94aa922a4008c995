// a quarter of the threads moves 16 bytes each
__global__ void negative(unsigned char *out, const unsigned char *in)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;
	if (i >= all / 4) return;
	uint4 v = reinterpret_cast<const uint4 *>(in)[i];
	reinterpret_cast<uint4 *>(out)[i] = make_uint4(~v.x, ~v.y, ~v.z, ~v.w);
}
