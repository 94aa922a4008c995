// Task: even and odd elements need different computations, and every warp does
// both, one after the other. Assign the elements to threads so that each warp
// takes only one path.
//
// Blocks of 256 threads, each for 256 consecutive elements.
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
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i % 2 == 0)
		out[i] = even(in[i]);
	else
		out[i] = odd(in[i]);
}
