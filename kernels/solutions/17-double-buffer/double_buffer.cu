// One tile is used, the copy into the other one is in flight.
//
// A block has `tiles` tiles of 256 elements, one after the other. For each place
// in a tile it sums, over its tiles, the difference from the element to the right;
// element 0 follows element 255.
#include <cuda_pipeline.h>

constexpr int THREADS = 256;

__global__ void double_buffer(int *out, const int *in, int tiles)
{
	__shared__ int tile[2][THREADS];
	int tid = threadIdx.x, sum = 0;
	in += blockIdx.x * tiles * THREADS;
	__pipeline_memcpy_async(&tile[0][tid], &in[tid], 4);
	__pipeline_commit();
	for (int k = 0; k < tiles; k++) {
		int now = k % 2, next = k + 1;
		if (next < tiles)
			__pipeline_memcpy_async(&tile[next % 2][tid], &in[next * THREADS + tid], 4);
		__pipeline_commit(); // an empty group at the end
		__pipeline_wait_prior(1);
		__syncthreads();
		sum += abs(tile[now][(tid + 1) % THREADS] - tile[now][tid]);
		__syncthreads();
	}
	out[blockIdx.x * THREADS + tid] = sum;
}
