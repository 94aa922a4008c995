// Task: wait only for the tile that is used next, and leave the copies of the two
// later tiles in flight, also near the end.
//
// A block has `tiles` tiles of 256 elements, one after the other. For each place
// in a tile it sums, over its tiles, the difference from the element to the right;
// element 0 follows element 255.
#include <cuda_pipeline.h>

constexpr int THREADS = 256, STAGES = 3;

__global__ void wait_count(int *out, const int *in, int tiles)
{
	__shared__ int tile[STAGES][THREADS];
	int tid = threadIdx.x, sum = 0;
	in += blockIdx.x * tiles * THREADS;
	for (int k = 0; k < STAGES - 1 && k < tiles; k++) {
		__pipeline_memcpy_async(&tile[k][tid], &in[k * THREADS + tid], 4);
		__pipeline_commit();
	}
	for (int k = 0; k < tiles; k++) {
		int now = k % STAGES, ahead = k + STAGES - 1;
		if (ahead < tiles) {
			__pipeline_memcpy_async(&tile[ahead % STAGES][tid],
			                        &in[ahead * THREADS + tid], 4);
			__pipeline_commit();
		}
		__pipeline_wait_prior(0);
		__syncthreads();
		sum += abs(tile[now][(tid + 1) % THREADS] - tile[now][tid]);
		__syncthreads();
	}
	out[blockIdx.x * THREADS + tid] = sum;
}
