// A quarter of the warps moves 16 bytes a thread: fewer requests, in order, for the whole image.
__global__ void negative(unsigned char *out, const unsigned char *in)
{
	if (threadIdx.x >= 64)
		return;
	int i = blockIdx.x * 64 + threadIdx.x;
	uint4 w = ((const uint4 *)in)[i];
	((uint4 *)out)[i] = make_uint4(~w.x, ~w.y, ~w.z, ~w.w);
}
