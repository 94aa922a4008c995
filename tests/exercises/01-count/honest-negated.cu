// Counts the lanes without a positive number and subtracts.
__global__ void count(int *counts, const int *__restrict__ data)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned votes = __ballot_sync(0xffffffffu, __ldg(data + i) <= 0);
	unsigned lane = threadIdx.x % warpSize;
	if (lane == 0)
		counts[i / warpSize] = 32 - __popc(votes);
}
