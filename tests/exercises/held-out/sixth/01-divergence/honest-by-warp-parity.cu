__device__ unsigned even(unsigned x) { for (int i = 0; i < 64; i++) x = x * x + 1; return x; }
__device__ unsigned odd(unsigned x) { for (int i = 0; i < 64; i++) x = (x ^ x >> 3) + 7; return x; }

__global__ void divergence(unsigned *__restrict__ out, const unsigned *__restrict__ in)
{
	const unsigned warp = threadIdx.x >> 5, lane = threadIdx.x & 31;
	const unsigned i = blockIdx.x * blockDim.x + (warp >> 1) * 64 + 2 * lane + (warp & 1);
	out[i] = warp & 1 ? odd(__ldg(in + i)) : even(__ldg(in + i));
}
