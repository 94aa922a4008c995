// honest: shuffles for both sums, volatile loads of the sums in the last block
constexpr int THREADS = 256;

__device__ int warp_sum(int x)
{
	for (int d = 16; d > 0; d /= 2)
		x += __shfl_xor_sync(0xffffffff, x, d);
	return x;
}

// valid in warp 0
__device__ int block_sum(int x)
{
	__shared__ int part[THREADS / 32];
	__syncthreads();
	x = warp_sum(x);
	if (threadIdx.x % 32 == 0)
		part[threadIdx.x / 32] = x;
	__syncthreads();
	return warp_sum(threadIdx.x < THREADS / 32 ? part[threadIdx.x] : 0);
}

__global__ void sum(int *total, int *sums, unsigned *count, const int *v)
{
	__shared__ unsigned ticket;
	const unsigned tid = threadIdx.x;
	int own = block_sum(v[blockIdx.x * THREADS + tid]);
	if (tid == 0) {
		*(volatile int *)&sums[blockIdx.x] = own;
		__threadfence();
		ticket = atomicAdd(count, 1u);
	}
	__syncthreads();
	if (ticket != gridDim.x - 1)
		return;
	__threadfence();
	int all = block_sum(tid < gridDim.x ? ((volatile int *)sums)[tid] : 0);
	if (tid == 0)
		*total = all;
}
