template <int D> __device__ __forceinline__ int fold(int x)
{
	x += __shfl_xor_sync(0xffffffffu, x, D);
	if constexpr (D > 1)
		return fold<D / 2>(x);
	return x;
}
__global__ void warp_sums(int *__restrict__ sums, const int *__restrict__ v)
{
	size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
	int sum = fold<16>(__ldg(&v[i]));
	if ((threadIdx.x & 31) == 31)
		sums[i >> 5] = sum;
}
