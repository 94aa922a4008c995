// shuffles per warp, then one warp adds eight sums
__device__ int warp_sum(int x) { for (int d = 16; d; d >>= 1) x += __shfl_down_sync(~0u, x, d); return x; }
__global__ void any_size(int *sums, const int *v, int n)
{
	__shared__ int s[8];
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	int x = 0;
	if (i < (unsigned)n) x = v[i];
	x = warp_sum(x);
	if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = x;
	__syncthreads();
	if (threadIdx.x < 32) {
		x = warp_sum(threadIdx.x < 8 ? s[threadIdx.x] : 0);
		if (threadIdx.x == 0) sums[blockIdx.x] = x;
	}
}
