// shuffles up from 1; the last lane has the sum
template<int D> __device__ int scan(int x)
{
	if constexpr (D == 32) return x;
	else return scan<2 * D>(x + __shfl_up_sync(0xffffffffu, x, D));
}
__global__ void warp_sums(int *sums, const int *v)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	int x = v[i];
	for (int d = 1; d < 32; d *= 2) { int y = __shfl_up_sync(~0u, x, d); if ((i & 31) >= d) x += y; }
	if ((i & 31) == 31) sums[i >> 5] = x;
}
