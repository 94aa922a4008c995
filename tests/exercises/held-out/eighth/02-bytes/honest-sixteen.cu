// honest: every fourth thread's worth of work is 16 bytes: the first quarter of a block loads uint4
__global__ void negative(unsigned char *out, const unsigned char *in)
{
	unsigned vectors = blockDim.x / 4; // of 16 bytes in a block
	if (threadIdx.x < vectors) {
		unsigned i = blockIdx.x * vectors + threadIdx.x;
		uint4 v = ((const uint4 *)in)[i];
		((uint4 *)out)[i] = make_uint4(~v.x, ~v.y, ~v.z, ~v.w);
	}
}
