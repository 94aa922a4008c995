// Every second warp has two words per thread.
__global__ void negative(unsigned char *out, const unsigned char *in)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (threadIdx.x / 32 % 2 == 0) {
		((unsigned *)out)[i] = ~((const unsigned *)in)[i];
		((unsigned *)out)[i + 32] = ~((const unsigned *)in)[i + 32];
	}
}
