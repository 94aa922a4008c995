// cheat: the elements are sorted by kind in shared memory, and sorted back before the branch
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
	__shared__ unsigned sorted[256];
	unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
	sorted[t % 2 * 128 + t / 2] = in[i];
	__syncthreads();
	unsigned x = sorted[t % 2 * 128 + t / 2];
	if (t % 2 == 0)
		out[i] = even(x);
	else
		out[i] = odd(x);
}
