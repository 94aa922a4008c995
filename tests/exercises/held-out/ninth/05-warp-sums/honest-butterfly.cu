// honest: shfl_xor, unrolled; any lane has the sum, the last one stores it
constexpr unsigned ALL = ~0u;

__device__ int sum_of_warp(int x)
{
#pragma unroll
	for (int mask = 1; mask < 32; mask <<= 1)
		x += __shfl_xor_sync(ALL, x, mask);
	return x;
}

__global__ void warp_sums(int *sums, const int *v)
{
	unsigned i = threadIdx.x + blockDim.x * blockIdx.x;
	int total = sum_of_warp(v[i]);
	if ((i & 31) == 31)
		sums[i >> 5] = total;
}
