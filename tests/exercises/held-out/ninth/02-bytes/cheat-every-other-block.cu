// cheat: even blocks use words, odd ones bytes as before
__global__ void negative(unsigned char *out, const unsigned char *in)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (blockIdx.x % 2 == 0)
		((unsigned *)out)[i] = ~((const unsigned *)in)[i];
	else
		for (int byte = 0; byte < 4; byte++)
			out[4 * i + byte] = 255 - in[4 * i + byte];
}
