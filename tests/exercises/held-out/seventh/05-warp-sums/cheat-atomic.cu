// zero, then atomics to the warp's sum
constexpr int THREADS = 256;
__global__ void warp_sums(int *sums, const int *v)
{
	int i = blockIdx.x * THREADS + threadIdx.x, x = v[i];
	if (i % 32 == 0) sums[i / 32] = 0;
	__syncwarp();
	x += __shfl_down_sync(~0u, x, 16);
	if (i % 32 < 16) atomicAdd(&sums[i / 32], x);
}
