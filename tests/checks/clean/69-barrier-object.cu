// cuda::barrier: everybody arrives and waits, twice.
// @kernel reversed
// @grid 2
// @block 96
// @buffer out i32 192 poison
// @arg out
// @expect out 2 * (95 - i % 96)
#include <cuda/barrier>
__global__ void reversed(int *out)
{
	__shared__ cuda::barrier<cuda::thread_scope_block> bar;
	__shared__ int v[96], w[96];
	if (threadIdx.x == 0)
		init(&bar, blockDim.x);
	__syncthreads();
	v[threadIdx.x] = threadIdx.x;
	bar.arrive_and_wait();
	w[threadIdx.x] = 2 * v[95 - threadIdx.x];
	bar.arrive_and_wait();
	v[95 - threadIdx.x] = w[threadIdx.x] - w[threadIdx.x];
	out[blockIdx.x * 96 + threadIdx.x] = w[threadIdx.x];
}
