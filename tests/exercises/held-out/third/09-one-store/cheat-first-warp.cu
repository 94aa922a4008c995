// The first warp reads the words of all.
__global__ void even(unsigned *counts, const unsigned *words)
{
	unsigned sum = 0, lane = threadIdx.x;
	if (lane >= 32)
		return;
	for (int k = 0; k < 1024; k += 32)
		sum += __popc(__ballot_sync(0xffffffff, words[blockIdx.x * 1024 + k + lane] % 2 == 0));
	if (lane == 0)
		counts[blockIdx.x] = sum;
}
