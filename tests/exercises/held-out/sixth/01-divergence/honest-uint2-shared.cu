__device__ unsigned even(unsigned x) { for (int i = 0; i < 64; i++) x = x * x + 1; return x; }
__device__ unsigned odd(unsigned x) { for (int i = 0; i < 64; i++) x = (x ^ x >> 3) + 7; return x; }

__global__ void divergence(unsigned *out, const unsigned *in)
{
	__shared__ unsigned s[256];
	unsigned t = threadIdx.x, first = blockIdx.x * blockDim.x;
	s[t % 2 * 128 + t / 2] = in[first + t];
	__syncthreads();
	unsigned x = s[t];
	x = t < 128 ? even(x) : odd(x);
	__syncthreads();
	s[t] = x;
	__syncthreads();
	out[first + t] = s[t % 2 * 128 + t / 2];
}
