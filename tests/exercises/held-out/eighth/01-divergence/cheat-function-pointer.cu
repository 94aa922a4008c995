// cheat: neighboring lanes call different functions through a pointer: the divergence is in the call
__device__ __noinline__ unsigned even(unsigned x)
{
	for (int i = 0; i < 64; i++)
		x = x * x + 1;
	return x;
}

__device__ __noinline__ unsigned odd(unsigned x)
{
	for (int i = 0; i < 64; i++)
		x = (x ^ x >> 3) + 7;
	return x;
}

typedef unsigned (*Path)(unsigned);

__global__ void divergence(unsigned *out, const unsigned *in)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	Path path[2] = {even, odd};
	out[i] = path[i % 2](in[i]);
}
