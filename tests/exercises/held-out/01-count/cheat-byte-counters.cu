// Threads leave answers in counts through atomics, packed by four lanes.
__global__ void count(int *counts, const int *data)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	int mine = data[i] > 0;
	mine += __shfl_down_sync(~0u, mine, 1);
	mine += __shfl_down_sync(~0u, mine, 2);
	if (threadIdx.x % 32 == 0)
		counts[i / 32] = 0;
	__syncwarp();
	if (threadIdx.x % 4 == 0)
		atomicAdd(&counts[i / 32], mine);
}
