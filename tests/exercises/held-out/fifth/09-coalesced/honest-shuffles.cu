// A warp loads its 256 words 32 at a time, sums each eight lanes with three shuffles, and hands the sums to their lanes.
__global__ void eights(unsigned *out, const unsigned *in)
{
	const unsigned lane = threadIdx.x % 32, first = blockIdx.x * 2048 + threadIdx.x / 32 * 256;
	unsigned own = 0;
#pragma unroll
	for (unsigned k = 0; k < 8; k++) {
		unsigned x = in[first + 32 * k + lane];
		x += __shfl_xor_sync(0xffffffffu, x, 1);
		x += __shfl_xor_sync(0xffffffffu, x, 2);
		x += __shfl_xor_sync(0xffffffffu, x, 4);
		x = __shfl_sync(0xffffffffu, x, lane % 4 * 8);
		if (lane / 4 == k)
			own = x;
	}
	out[first / 8 + lane] = own;
}
