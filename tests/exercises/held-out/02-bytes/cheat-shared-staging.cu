// Bytes go through shared memory one by one.
__global__ void negative(unsigned char *out, const unsigned char *in)
{
	__shared__ unsigned char s[1024];
	int first = blockIdx.x * 1024;
	for (int k = threadIdx.x; k < 1024; k += 256)
		s[k] = 255 - in[first + k];
	__syncthreads();
	((unsigned *)(out + first))[threadIdx.x] = ((unsigned *)s)[threadIdx.x];
}
