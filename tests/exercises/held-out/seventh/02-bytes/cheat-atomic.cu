// words, but read and written by atomics
__global__ void negative(unsigned char *out, const unsigned char *in)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	atomicExch((unsigned *)out + i, ~((const unsigned *)in)[i]);
}
