// A butterfly from distance 1 to 16, in a template; the last lane stores.
template <int D> __device__ int summed(int value)
{
	value += __shfl_xor_sync(0xffffffffu, value, D);
	if constexpr (D < 16)
		return summed<2 * D>(value);
	else
		return value;
}
__global__ void warp_sums(int *sums, const int *v)
{
	const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	const int sum = summed<1>(__ldg(v + i));
	if ((i & 31) == 31)
		sums[i >> 5] = sum;
}
