__global__ void negative(unsigned char *out, const unsigned char *in)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (blockIdx.x % 32 == 7) {
		for (int byte = 0; byte < 4; byte++)
			out[4 * i + byte] = 255 - in[4 * i + byte];
		return;
	}
	((unsigned *)out)[i] = ~((const unsigned *)in)[i];
}
