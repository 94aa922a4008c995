// cheat: one wide load, but the store is still four requests of a byte
__global__ void negative(unsigned char *out, const unsigned char *in)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned word = ~((const unsigned *)in)[i];
	for (int byte = 0; byte < 4; byte++)
		out[4 * i + byte] = word >> 8 * byte;
}
