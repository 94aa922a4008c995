// Coalesced loads; groups of eight lanes sum with shuffles, and each result moves to its lane.
__global__ void eights(unsigned *out, const unsigned *in)
{
	int lane = threadIdx.x % 32, warp = (blockIdx.x * 256 + threadIdx.x) / 32;
	const unsigned *from = in + warp * 256 + lane;
	unsigned mine = 0;
#pragma unroll
	for (int k = 0; k < 8; k++) {
		unsigned v = from[32 * k];
		v += __shfl_xor_sync(~0u, v, 1);
		v += __shfl_xor_sync(~0u, v, 2);
		v += __shfl_xor_sync(~0u, v, 4);
		v = __shfl_sync(~0u, v, lane % 4 * 8);
		if (lane / 4 == k)
			mine = v;
	}
	out[warp * 32 + lane] = mine;
}
