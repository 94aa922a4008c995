// cheat: the first four warps are assigned properly, the others diverge as before
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
	unsigned t = threadIdx.x, base = blockIdx.x * blockDim.x;
	unsigned i = t < 128 ? base + 2 * (t % 64) + t / 64 : base + t;
	if (i % 2 == 0)
		out[i] = even(in[i]);
	else
		out[i] = odd(in[i]);
}
