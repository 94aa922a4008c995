// honest: counts the zeros of a ballot on the opposite question, and the last lane stores
__global__ void count(int *counts, const int *data)
{
	const unsigned FULL = 0xffffffffu;
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	int not_positive = __popc(__ballot_sync(FULL, data[i] <= 0));
	unsigned lane = threadIdx.x & 31;
	if (lane != 31)
		return;
	counts[i >> 5] = 32 - not_positive;
}
