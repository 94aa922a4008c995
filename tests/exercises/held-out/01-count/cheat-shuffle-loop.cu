__global__ void count(int *counts, const int *data)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	int mine = data[i] > 0, sum = 0;
	for (int lane = 0; lane < 32; lane++)
		sum += __shfl_sync(~0u, mine, lane);
	if (i % 32 == 0)
		counts[i / 32] = sum;
}
