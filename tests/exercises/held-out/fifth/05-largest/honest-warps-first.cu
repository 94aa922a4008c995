// Shuffles within each warp, eight words of shared memory, one barrier, and the first warp finishes.
__device__ __forceinline__ int warp_max(int x)
{
#pragma unroll
	for (int d = 16; d > 0; d >>= 1)
		x = max(x, __shfl_xor_sync(0xffffffffu, x, d));
	return x;
}
__global__ void largest(int *most, const int *v)
{
	__shared__ int parts[8];
	const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
	int x = warp_max(v[blockIdx.x * blockDim.x + threadIdx.x]);
	if (lane == 0)
		parts[warp] = x;
	__syncthreads();
	if (warp == 0) {
		x = warp_max(parts[lane & 7]);
		if (lane == 0)
			most[blockIdx.x] = x;
	}
}
