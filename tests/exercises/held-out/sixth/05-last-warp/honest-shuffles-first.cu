__device__ __forceinline__ int warp_sum(int x)
{
	for (int d = 1; d < 32; d <<= 1)
		x += __shfl_xor_sync(~0u, x, d);
	return x;
}
__global__ void last_warp(int *sums, const int *v)
{
	__shared__ int parts[8];
	int x = warp_sum(v[blockIdx.x * 256 + threadIdx.x]);
	if (threadIdx.x % 32 == 0)
		parts[threadIdx.x / 32] = x;
	__syncthreads();
	if (threadIdx.x < 32) {
		x = warp_sum(threadIdx.x < 8 ? parts[threadIdx.x] : 0);
		if (threadIdx.x == 0)
			sums[blockIdx.x] = x;
	}
}
