// Task: use two tiles, so that the copy of the next tile is in flight while the
// current one is used.
//
// A block has `tiles` tiles of 256 elements, one after the other. For each place
// in a tile it sums, over its tiles, the difference from the element to the right;
// element 0 follows element 255.
#include <cuda_pipeline.h>

constexpr int THREADS = 256;

__global__ void double_buffer(int *out, const int *in, int tiles)
{
	__shared__ int tile[THREADS];
	int tid = threadIdx.x, sum = 0;
	in += blockIdx.x * tiles * THREADS;
	for (int k = 0; k < tiles; k++) {
		__pipeline_memcpy_async(&tile[tid], &in[k * THREADS + tid], 4);
		__pipeline_commit();
		__pipeline_wait_prior(0);
		__syncthreads();
		sum += abs(tile[(tid + 1) % THREADS] - tile[tid]);
		__syncthreads();
	}
	out[blockIdx.x * THREADS + tid] = sum;
}
