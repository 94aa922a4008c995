// A tile after the other is copied, waited for, and overwritten in place; the copy of the next one is under way.
// @kernel twice
// @block 64
// @buffer data i32 32768 i
// @arg data
// @expect data 2 * i
#include <cuda_pipeline.h>
__global__ void twice(int *data)
{
	__shared__ __align__(16) int tile[2][64][4];
	__pipeline_memcpy_async(tile[0][threadIdx.x], data + 4 * threadIdx.x, 16);
	__pipeline_commit();
	for (int s = 0; s < 128; s++) {
		int *from = data + 256 * s + 4 * threadIdx.x;
		if (s < 127) __pipeline_memcpy_async(tile[(s + 1) % 2][threadIdx.x], from + 256, 16);
		__pipeline_commit();
		__pipeline_wait_prior(1);
		for (int i = 0; i < 4; i++) from[i] = 2 * tile[s % 2][threadIdx.x][i];
	}
}
