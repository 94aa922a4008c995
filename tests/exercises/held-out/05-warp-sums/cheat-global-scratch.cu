// No shared memory and no barrier: atomics on the output.
__global__ void warp_sums(int *sums, const int *v)
{
	int i = blockIdx.x * 256 + threadIdx.x;
	int lane = threadIdx.x % 32;
	if (lane == 0)
		sums[i / 32] = 0;
	__syncwarp();
	atomicAdd(&sums[i / 32], v[i]);
}
