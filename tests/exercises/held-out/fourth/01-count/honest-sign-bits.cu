// The ballot is taken on a precomputed flag, and the count through the 64-bit population count.
__device__ __forceinline__ int votes(bool yes)
{
	return __popcll((unsigned long long)__ballot_sync(0xffffffffu, yes));
}
__global__ void count(int *counts, const int *data)
{
	const int warps = blockDim.x / warpSize, warp = threadIdx.x / warpSize;
	const int sum = votes(!(data[blockIdx.x * blockDim.x + threadIdx.x] <= 0));
	if (threadIdx.x == warp * warpSize)
		counts[blockIdx.x * warps + warp] = sum;
}
