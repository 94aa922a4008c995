// honest: no shared memory: groups of eight lanes add by shuffles, and the sums move to their lanes
constexpr unsigned ALL = 0xffffffff;

__global__ void eights(unsigned *out, const unsigned *in)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int lane = threadIdx.x % 32;
	const unsigned *from = in + (i - lane) * 8 + lane;
	unsigned mine = 0;
#pragma unroll
	for (int k = 0; k < 8; k++) {
		unsigned v = from[32 * k];
		v += __shfl_xor_sync(ALL, v, 1);
		v += __shfl_xor_sync(ALL, v, 2);
		v += __shfl_xor_sync(ALL, v, 4);
		unsigned moved = __shfl_sync(ALL, v, lane % 4 * 8);
		if (lane / 4 == k)
			mine = moved;
	}
	out[i] = mine;
}
