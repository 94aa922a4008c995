// cheat: both loops for everyone, with zero iterations for the wrong half: the lanes still take turns
__global__ void divergence(unsigned *out, const unsigned *in)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned x = in[i];
	int odds = 64 * (i & 1), evens = 64 - odds;
#pragma unroll 1
	for (int k = 0; k < evens; k++)
		x = x * x + 1;
#pragma unroll 1
	for (int k = 0; k < odds; k++)
		x = (x ^ x >> 3) + 7;
	out[i] = x;
}
