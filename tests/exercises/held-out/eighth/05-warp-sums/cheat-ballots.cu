// cheat: no shuffles: the sum is put together from 32 ballots, one for each bit of the words
__global__ void warp_sums(int *sums, const int *v)
{
	unsigned i = blockIdx.x * 256 + threadIdx.x;
	unsigned word = v[i], sum = 0;
#pragma unroll 1
	for (int bit = 0; bit < 32; bit++)
		sum += __popc(__ballot_sync(0xffffffff, word >> bit & 1)) << bit;
	if (threadIdx.x % 32 == 0)
		sums[i / 32] = sum;
}
