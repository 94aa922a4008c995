__global__ void eights(unsigned *out, const unsigned *in)
{
	unsigned lane = threadIdx.x & 31, warp = (blockIdx.x * 256 + threadIdx.x) / 32;
	const unsigned *from = in + warp * 256u + lane;
	unsigned mine = 0;
#pragma unroll
	for (int k = 0; k < 8; k++) {
		unsigned v = from[32 * k];
		for (int d = 4; d; d >>= 1)
			v += __shfl_xor_sync(~0u, v, d);
		unsigned got = __shfl_sync(~0u, v, lane % 4 * 8);
		if (lane / 4 == k)
			mine = got;
	}
	out[warp * 32 + lane] = mine;
}
