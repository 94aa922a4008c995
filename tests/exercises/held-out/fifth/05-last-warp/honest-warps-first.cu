// Every warp sums its elements with shuffles, and after one barrier the first warp sums the eight sums.
__device__ int warp_sum(int x, int width)
{
	for (int d = width / 2; d > 0; d /= 2)
		x += __shfl_down_sync(0xffffffffu, x, d, width);
	return x;
}
__global__ void last_warp(int *sums, const int *v)
{
	__shared__ int parts[8];
	const int tid = threadIdx.x, sum = warp_sum(v[blockIdx.x * 256 + tid], 32);
	if (tid % 32 == 0)
		parts[tid / 32] = sum;
	__syncthreads();
	if (tid < 32) {
		const int all = warp_sum(tid < 8 ? parts[tid] : 0, 8);
		if (tid == 0)
			sums[blockIdx.x] = all;
	}
}
