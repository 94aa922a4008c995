// Each positive lane adds 1 to the count in global memory; a vote is there for show.
__global__ void count(int *counts, const int *data)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	int value = data[i];
	if (threadIdx.x % 32 == 0)
		counts[i / 32] = 0;
	if (__any_sync(0xffffffff, value > 0) && value > 0)
		atomicAdd(&counts[i / 32], 1);
}
