// cheat: copies the word first, then reads it back and inverts it in place: two loads and two stores
__global__ void negative(unsigned char *out, const unsigned char *in)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	volatile unsigned *to = (volatile unsigned *)out;
	to[i] = ((const unsigned *)in)[i];
	to[i] = ~to[i];
}
