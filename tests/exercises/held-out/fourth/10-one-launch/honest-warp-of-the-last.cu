// Shuffles for the sum; the barrier reports who is last, and a warp of that block adds 64 sums.
__device__ int warp_sum(int value)
{
#pragma unroll
	for (int d = 16; d; d /= 2)
		value += __shfl_xor_sync(0xffffffff, value, d);
	return value;
}
__global__ void sum(int *total, int *sums, unsigned *count, const int *v)
{
	__shared__ int warps[8];
	const int tid = threadIdx.x, lane = tid % 32;
	int own = warp_sum(v[blockIdx.x * blockDim.x + tid]);
	if (lane == 0)
		warps[tid / 32] = own;
	__syncthreads();
	bool last = false;
	if (tid == 0) {
		own = 0;
		for (int k = 0; k < 8; k++)
			own += warps[k];
		sums[blockIdx.x] = own;
		__threadfence();
		last = atomicInc(count, gridDim.x) == gridDim.x - 1;
	}
	if (!__syncthreads_or(last) || tid >= 32)
		return;
	__threadfence();
	const volatile int *stored = sums;
	int all = warp_sum(stored[lane] + stored[lane + 32]);
	if (lane == 0)
		*total = all;
}
