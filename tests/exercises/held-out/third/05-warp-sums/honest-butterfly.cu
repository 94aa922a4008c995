// A butterfly; the last lane stores.
template <int WIDTH> __device__ int all(int x)
{
	x += __shfl_xor_sync(~0u, x, WIDTH);
	return WIDTH == 1 ? x : all<WIDTH == 1 ? 1 : WIDTH / 2>(x);
}

__global__ void warp_sums(int *sums, const int *v)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	int sum = all<16>(v[i]);
	if ((i & 31) == 31)
		sums[i >> 5] = sum;
}
