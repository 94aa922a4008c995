// Eight lanes share a sum; no shared memory.
__global__ void eights(unsigned *out, const unsigned *in)
{
	int i = blockIdx.x * 256 + threadIdx.x, lane = threadIdx.x % 32;
	const unsigned *from = in + 8 * (i - lane) + lane;
	unsigned mine = 0;
#pragma unroll
	for (int k = 0; k < 8; k++) {
		unsigned x = from[32 * k];
		x += __shfl_xor_sync(~0u, x, 1);
		x += __shfl_xor_sync(~0u, x, 2);
		x += __shfl_xor_sync(~0u, x, 4);
		unsigned given = __shfl_sync(~0u, x, lane % 4 * 8);
		if (lane / 4 == k)
			mine = given;
	}
	out[i] = mine;
}
