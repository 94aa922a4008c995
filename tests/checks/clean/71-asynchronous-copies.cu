// cp.async in two stages: each group is waited for, then a barrier.
// @kernel stages
// @block 64
// @buffer out i32 64 poison
// @buffer in i32 256 i
// @arg out
// @arg in
// @expect out 4 * (63 - i) + 384
#include <cuda_pipeline.h>
__global__ void stages(int *out, const int *in)
{
	__shared__ int tile[2][64];
	int sum = 0;
	__pipeline_memcpy_async(&tile[0][threadIdx.x], in + threadIdx.x, 4);
	__pipeline_commit();
	for (int s = 0; s < 4; s++) {
		if (s < 3)
			__pipeline_memcpy_async(&tile[(s + 1) % 2][threadIdx.x], in + 64 * (s + 1) + threadIdx.x, 4);
		__pipeline_commit();
		__pipeline_wait_prior(1);
		__syncthreads();
		sum += tile[s % 2][63 - threadIdx.x];
		__syncthreads();
	}
	out[threadIdx.x] = sum;
}
