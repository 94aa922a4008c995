// cheat: even warps vote, in odd ones lane 0 loads and counts all 32 numbers itself
__global__ void count(int *counts, const int *data)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i / 32 % 2 == 0) {
		unsigned votes = __ballot_sync(0xffffffff, data[i] > 0);
		if (threadIdx.x % 32 == 0)
			counts[i / 32] = __popc(votes);
	} else if (threadIdx.x % 32 == 0) {
		int sum = 0;
		for (int lane = 0; lane < 32; lane++)
			sum += data[i + lane] > 0;
		counts[i / 32] = sum;
	}
}
