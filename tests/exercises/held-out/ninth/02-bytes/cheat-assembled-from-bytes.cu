// cheat: one store of a word that was assembled from four byte loads
__global__ void negative(unsigned char *out, const unsigned char *in)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned word = 0;
	for (int byte = 3; byte >= 0; byte--)
		word = word << 8 | (255 - in[4 * i + byte]);
	((unsigned *)out)[i] = word;
}
