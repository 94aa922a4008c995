// The same order of store, fence and count, but sums by shuffles, and the last block's first warp adds 64 sums.
__device__ int warp_sum(int x)
{
	for (int d = 16; d > 0; d /= 2)
		x += __shfl_down_sync(0xffffffffu, x, d);
	return x;
}
__global__ void sum(int *total, int *sums, unsigned *count, const int *v)
{
	__shared__ int parts[8];
	__shared__ bool last;
	const int tid = threadIdx.x, lane = tid % 32;
	const int own = warp_sum(v[blockIdx.x * blockDim.x + tid]);
	if (lane == 0)
		parts[tid / 32] = own;
	__syncthreads();
	if (tid == 0) {
		int all = 0;
		for (int k = 0; k < 8; k++)
			all += parts[k];
		sums[blockIdx.x] = all;
		__threadfence();
		last = atomicAdd(count, 1u) == gridDim.x - 1;
	}
	__syncthreads();
	if (last && tid < 32) {
		int all = 0;
		for (int k = lane; k < (int)gridDim.x; k += 32)
			all += __ldcg(&sums[k]);
		all = warp_sum(all);
		if (lane == 0) {
			*total = all;
			*count = 0;
		}
	}
}
