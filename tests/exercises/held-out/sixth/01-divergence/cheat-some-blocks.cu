__device__ unsigned even(unsigned x) { for (int i = 0; i < 64; i++) x = x * x + 1; return x; }
__device__ unsigned odd(unsigned x) { for (int i = 0; i < 64; i++) x = (x ^ x >> 3) + 7; return x; }

__global__ void divergence(unsigned *out, const unsigned *in)
{
	unsigned half = blockDim.x / 2, side = threadIdx.x / half;
	unsigned i = blockIdx.x * blockDim.x + 2 * (threadIdx.x % half) + side;
	if (blockIdx.x == 5) {
		i = blockIdx.x * blockDim.x + threadIdx.x;
		unsigned x = in[i], a = even(x), b = odd(x);
		out[i] = i % 2 ? b : a;
		return;
	}
	if (side == 0)
		out[i] = even(in[i]);
	else
		out[i] = odd(in[i]);
}
