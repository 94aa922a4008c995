// One warp in eight does the block's words, eight per thread.
__global__ void negative(unsigned char *out, const unsigned char *in)
{
	int first = blockIdx.x * blockDim.x;
	if (threadIdx.x < 32)
		for (int k = threadIdx.x; k < blockDim.x; k += 32)
			((unsigned *)out)[first + k] = ~((const unsigned *)in)[first + k];
}
