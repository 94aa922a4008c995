// cheat: only the even blocks are sorted into uniform warps, the odd blocks diverge as before
__device__ unsigned even(unsigned x)
{
	for (int i = 0; i < 64; i++)
		x = x * x + 1;
	return x;
}

__device__ unsigned odd(unsigned x)
{
	for (int i = 0; i < 64; i++)
		x = (x ^ x >> 3) + 7;
	return x;
}

__global__ void divergence(unsigned *out, const unsigned *in)
{
	unsigned t = threadIdx.x;
	if (blockIdx.x % 2 == 0)
		t = 2 * (t % 128) + t / 128;
	unsigned i = blockIdx.x * blockDim.x + t;
	if (i & 1)
		out[i] = odd(in[i]);
	else
		out[i] = even(in[i]);
}
