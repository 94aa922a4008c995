// No branch: predicated code in the loop, both computed.
__global__ void divergence(unsigned *out, const unsigned *in)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x, x = in[i];
	bool odd = i & 1;
#pragma unroll
	for (int k = 0; k < 64; k++) {
		unsigned a = x * x + 1, b = (x ^ x >> 3) + 7;
		x = odd ? b : a;
	}
	out[i] = x;
}
