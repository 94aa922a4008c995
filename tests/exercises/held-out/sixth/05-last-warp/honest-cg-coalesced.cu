#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
constexpr int THREADS = 256;

__global__ void last_warp(int *sums, const int *v)
{
	__shared__ int s[THREADS];
	int tid = threadIdx.x;

	s[tid] = v[blockIdx.x * THREADS + tid];
	for (int d = THREADS / 2; d > 32; d /= 2) {
		__syncthreads();
		if (tid < d)
			s[tid] += s[tid + d];
	}
	__syncthreads();
	if (tid < 32) {
		auto warp = cooperative_groups::coalesced_threads();
		int sum = cooperative_groups::reduce(warp, s[tid] + s[tid + 32], cooperative_groups::plus<int>());
		if (warp.thread_rank() == 0)
			sums[blockIdx.x] = sum;
	}
}
