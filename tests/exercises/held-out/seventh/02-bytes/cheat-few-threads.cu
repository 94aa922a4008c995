// one lane of 32 does the words of all, with eight loads of uint4
__global__ void negative(unsigned char *out, const unsigned char *in)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i % 32) return;
	for (int k = 0; k < 8; k++) {
		uint4 v = ((const uint4 *)in)[i / 4 + k];
		((uint4 *)out)[i / 4 + k] = make_uint4(~v.x, ~v.y, ~v.z, ~v.w);
	}
}
