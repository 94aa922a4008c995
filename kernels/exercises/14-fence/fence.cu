// Task: make the scan correct in any order of blocks: which block waits for
// which, and in what order others see sum and flag.
//
// Blocks of 256 threads. Before the launch all flags and *ticket are 0.
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
	__shared__ int warps[8], before;
	int tid = threadIdx.x, tile = blockIdx.x;
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
			before = sums[tile - 1];
		}
		sums[tile] = before + all;
		flags[tile] = 1;
	}
	__syncthreads();
	out[256 * tile + tid] = sum + before;
}
