// 16 bytes per access, a quarter of the threads.
__global__ void negative(unsigned char *out, const unsigned char *in)
{
	if (threadIdx.x >= blockDim.x / 4)
		return;
	int i = blockIdx.x * (blockDim.x / 4) + threadIdx.x;
	uint4 w = ((const uint4 *)in)[i];
	((uint4 *)out)[i] = make_uint4(~w.x, ~w.y, ~w.z, ~w.w);
}
