// honest: coalesced loads and stores through shared memory, uniform warps in between
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
	__shared__ unsigned s[256];
	unsigned t = threadIdx.x, i = blockIdx.x * 256 + t;
	s[t] = in[i];
	__syncthreads();
	unsigned mine = (2 * t) % 256 + t / 128;
	if (t < 128)
		s[mine] = even(s[mine]);
	else
		s[mine] = odd(s[mine]);
	__syncthreads();
	out[i] = s[t];
}
