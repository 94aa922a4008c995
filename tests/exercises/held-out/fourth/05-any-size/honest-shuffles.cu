// Warp sums by shuffles, then the sum of eight words.
__global__ void any_size(int *sums, const int *v, int n)
{
	__shared__ int warps[8];
	int tid = threadIdx.x, i = blockIdx.x * 256 + tid;
	int sum = i < n ? v[i] : 0;
	for (int d = 16; d > 0; d >>= 1)
		sum += __shfl_down_sync(0xffffffff, sum, d);
	if (tid % 32 == 0)
		warps[tid / 32] = sum;
	__syncthreads();
	if (tid == 0)
		sums[blockIdx.x] = warps[0] + warps[1] + warps[2] + warps[3] + warps[4] + warps[5] + warps[6] + warps[7];
}
