#include <cuda/atomic>
constexpr int THREADS = 256;

__device__ int sum_of_block(int value)
{
	__shared__ int words[THREADS];
	int tid = threadIdx.x;
	__syncthreads();
	words[tid] = value;
	for (int d = THREADS / 2; d > 0; d /= 2) {
		__syncthreads();
		if (tid < d)
			words[tid] += words[tid + d];
	}
	__syncthreads();
	return words[0];
}


__global__ void sum(int *total, int *sums, unsigned *count, const int *v)
{
	__shared__ bool last;
	int tid = threadIdx.x, own = sum_of_block(v[blockIdx.x * 256 + tid]);
	if (tid == 0) {
		sums[blockIdx.x] = own;
		cuda::atomic_ref<unsigned, cuda::thread_scope_device> done(*count);
		last = done.fetch_add(1, cuda::memory_order_acq_rel) == gridDim.x - 1;
	}
	__syncthreads();
	if (last) {
		int all = sum_of_block(tid < gridDim.x ? sums[tid] : 0);
		if (tid == 0)
			*total = all;
	}
}
