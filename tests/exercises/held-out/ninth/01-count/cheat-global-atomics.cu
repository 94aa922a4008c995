// cheat: every positive lane adds to the result in global memory; the vote only skips empty warps
__global__ void count(int *counts, const int *data)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	bool yes = data[i] > 0;
	if (threadIdx.x % 32 == 0)
		counts[i / 32] = 0;
	__syncwarp();
	if (__any_sync(0xffffffff, yes) && yes)
		atomicAdd(&counts[i / 32], 1);
}
