// honest: no shared memory: eight coalesced loads, sums within groups of eight lanes, and one more shuffle
__global__ void eights(unsigned *out, const unsigned *in)
{
	unsigned i = blockIdx.x * 256 + threadIdx.x, lane = threadIdx.x % 32;
	const unsigned *from = in + 8 * (i - lane);
	unsigned mine = 0;
#pragma unroll
	for (int r = 0; r < 8; r++) {
		unsigned x = from[32 * r + lane];
		x += __shfl_xor_sync(0xffffffff, x, 1);
		x += __shfl_xor_sync(0xffffffff, x, 2);
		x += __shfl_xor_sync(0xffffffff, x, 4); // the sum of thread 4 r + lane / 8
		unsigned sum = __shfl_sync(0xffffffff, x, 8 * (lane % 4));
		if (lane / 4 == r)
			mine = sum;
	}
	out[i] = mine;
}
