// coalesced loads, sums of eight lanes by shuffles
__global__ void eights(unsigned *out, const unsigned *in)
{
	int t = threadIdx.x, first = blockIdx.x * 2048;
#pragma unroll
	for (int k = 0; k < 8; k++) {
		unsigned s = in[first + 256 * k + t];
		s += __shfl_xor_sync(~0u, s, 1); s += __shfl_xor_sync(~0u, s, 2); s += __shfl_xor_sync(~0u, s, 4);
		if (t % 8 == 0) out[blockIdx.x * 256 + 32 * k + t / 8] = s;
	}
}
