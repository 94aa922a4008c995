// A loop of 32 votes, one for each lane.
__global__ void count(int *counts, const int *data)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	bool positive = data[i] > 0;
	int sum = 0;
#pragma unroll 1
	for (unsigned lane = 0; lane < 32; lane++)
		sum += __any_sync(0xffffffff, positive && threadIdx.x % 32 == lane) != 0;
	if (threadIdx.x % 32 == 0)
		counts[i / 32] = sum;
}
