// cheat: a ballot, and then a loop over its 32 bits in one lane: the task says no loop
__global__ void count(int *counts, const int *data)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned votes = __ballot_sync(0xffffffff, data[i] > 0);
	if (threadIdx.x % 32 == 0) {
		int sum = 0;
#pragma unroll 1
		for (int lane = 0; lane < 32; lane++)
			sum += votes >> lane & 1;
		counts[i / 32] = sum;
	}
}
