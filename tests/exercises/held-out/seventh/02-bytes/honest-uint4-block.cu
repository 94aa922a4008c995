// a quarter of each block's threads moves 16 bytes each
__global__ void negative(unsigned char *out, const unsigned char *in)
{
	if (threadIdx.x >= blockDim.x / 4) return;
	unsigned i = blockIdx.x * (blockDim.x / 4) + threadIdx.x;
	uint4 v = reinterpret_cast<const uint4 *>(in)[i];
	reinterpret_cast<uint4 *>(out)[i] = make_uint4(~v.x, ~v.y, ~v.z, ~v.w);
}
