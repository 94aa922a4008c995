__global__ void negative(unsigned char *out, const unsigned char *in)
{
	if (threadIdx.x < 128) {
		int i = blockIdx.x * 128 + threadIdx.x;
		uint2 w = ((const uint2 *)in)[i];
		((uint2 *)out)[i] = make_uint2(~w.x, ~w.y);
	}
}
