__global__ void warp_sums(int *sums, const int *v)
{
	const unsigned full = 0xffffffff;
	int x = __ldg(v + blockIdx.x * blockDim.x + threadIdx.x);
	x += __shfl_down_sync(full, x, 16);
	x += __shfl_down_sync(full, x, 8);
	x += __shfl_down_sync(full, x, 4);
	x += __shfl_down_sync(full, x, 2);
	x += __shfl_down_sync(full, x, 1);
	if (!(threadIdx.x & 31))
		sums[(blockIdx.x * blockDim.x + threadIdx.x) >> 5] = x;
}
