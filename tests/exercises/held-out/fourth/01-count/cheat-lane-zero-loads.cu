// Lane 0 loads all 32 numbers itself.
__global__ void count(int *counts, const int *data)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned votes = __ballot_sync(0xffffffff, 1);
	if (threadIdx.x % 32 == 0) {
		int sum = 0;
		for (int lane = 0; lane < __popc(votes); lane++)
			sum += data[i + lane] > 0;
		counts[i / 32] = sum;
	}
}
