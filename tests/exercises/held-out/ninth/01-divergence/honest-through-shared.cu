// honest: coalesced loads and stores, the elements change threads in shared memory
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
	words[t] = in[i];
	__syncthreads();
	unsigned own = t < 128 ? 2 * t : 2 * (t - 128) + 1;
	unsigned x = words[own];
	words[own] = t < 128 ? even(x) : odd(x);
	__syncthreads();
	out[i] = words[t];
}
