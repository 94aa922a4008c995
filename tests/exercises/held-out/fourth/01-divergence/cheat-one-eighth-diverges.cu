// One block in eight keeps the old assignment.
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
	unsigned first = blockIdx.x * blockDim.x, t = threadIdx.x;
	unsigned i = blockIdx.x % 8 == 7 ? first + t : first + 2 * (t % 128) + t / 128;
	if (i % 2 == 0)
		out[i] = even(in[i]);
	else
		out[i] = odd(in[i]);
}
