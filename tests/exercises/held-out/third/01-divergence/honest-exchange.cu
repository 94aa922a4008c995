// Shared memory reorders the elements, so that global accesses stay coalesced.
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
	__shared__ unsigned words[256];
	unsigned t = threadIdx.x, i = blockIdx.x * 256 + t;
	words[t % 2 * 128 + t / 2] = in[i];
	__syncthreads();
	words[t] = t < 128 ? even(words[t]) : odd(words[t]);
	__syncthreads();
	out[i] = words[t % 2 * 128 + t / 2];
}
