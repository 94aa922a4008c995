__device__ unsigned even(unsigned x) { for (int i = 0; i < 64; i++) x = x * x + 1; return x; }
__device__ unsigned odd(unsigned x) { for (int i = 0; i < 64; i++) x = (x ^ x >> 3) + 7; return x; }
__global__ void divergence(unsigned *out, const unsigned *in)
{
	// half of the threads take both elements of a pair
	if (threadIdx.x >= 128)
		return;
	unsigned i = blockIdx.x * 128 + threadIdx.x;
	uint2 v = ((const uint2 *)in)[i];
	v.x = even(v.x);
	v.y = odd(v.y);
	((uint2 *)out)[i] = v;
}
