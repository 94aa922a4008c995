// whole words, but neighboring threads are 128 bytes apart
__global__ void negative(unsigned char *out, const unsigned char *in)
{
	int t = threadIdx.x, nb = blockDim.x;
	int w = nb / 32, k = (t % 32) * w + t / 32;
	int i = blockIdx.x * nb + k;
	((unsigned *)out)[i] = ~((const unsigned *)in)[i];
}
