// cheat: the sum moves to global memory: 32 atomic additions per warp
__global__ void warp_sums(int *sums, const int *v)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int own = v[i];
	if (i % 32 == 0)
		sums[i / 32] = 0;
	__syncwarp();
	atomicAdd(&sums[i / 32], own);
}
