// Four words with one load, votes per warp, one shared atomic per warp.
__global__ void even(unsigned *counts, const unsigned *words)
{
	__shared__ unsigned sum;
	if (threadIdx.x == 0)
		sum = 0;
	__syncthreads();
	uint4 w = ((const uint4 *)words)[blockIdx.x * 256 + threadIdx.x];
	unsigned mine = 4 - (w.x & 1) - (w.y & 1) - (w.z & 1) - (w.w & 1);
	for (int d = 16; d > 0; d /= 2)
		mine += __shfl_down_sync(0xffffffff, mine, d);
	if (threadIdx.x % 32 == 0)
		atomicAdd(&sum, mine);
	__syncthreads();
	if (threadIdx.x == 0)
		counts[blockIdx.x] = sum;
}
