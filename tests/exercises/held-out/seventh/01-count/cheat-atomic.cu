// the warp's threads add atomically
__global__ void count(int *counts, const int *data)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	int p = data[i] > 0;
	if (i % 32 == 0) counts[i / 32] = 0;
	__syncwarp();
	if (__any_sync(~0u, p) && p) atomicAdd(&counts[i / 32], 1);
}
