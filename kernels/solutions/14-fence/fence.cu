// A tile number from the counter: those with lower numbers have begun. One fence
// between sum and flag on each side.
__device__ int scan_warp(int sum)
{
	for (int d = 1; d < 32; d *= 2) {
		int other = __shfl_up_sync(0xffffffff, sum, d);
		if (threadIdx.x % 32 >= d)
			sum += other;
	}
	return sum;
}

__global__ void scan(int *out, int *sums, volatile int *flags,
	unsigned *ticket, const int *in)
{
	__shared__ int warps[8], before, taken;
	int tid = threadIdx.x;
	if (tid == 0)
		taken = atomicAdd(ticket, 1);
	__syncthreads();
	int tile = taken;
	int sum = scan_warp(in[256 * tile + tid]);
	if (tid % 32 == 31)
		warps[tid / 32] = sum;
	__syncthreads();
	int all = 0;
	for (int w = 0; w < 8; w++) {
		if (w < tid / 32)
			sum += warps[w];
		all += warps[w];
	}
	if (tid == 0) {
		before = 0;
		if (tile > 0) {
			while (flags[tile - 1] == 0)
				;
			__threadfence();
			before = sums[tile - 1];
		}
		sums[tile] = before + all;
		__threadfence();
		flags[tile] = 1;
	}
	__syncthreads();
	out[256 * tile + tid] = sum + before;
}
