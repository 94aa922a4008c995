// The variation of closed curves: a row of 512 numbers is a curve, and its
// variation is the sum of |x[i + 1] - x[i]|, where x[0] follows x[511]. A block
// of 128 threads takes every gridDim.x-th row and needs all of it in shared
// memory. The kernels differ in how a row gets there. Each thread copies 16
// bytes, so one row is 2 KB.
#include <cuda_pipeline.h>

constexpr int THREADS = 128, ROW = 512;

// Four differences per thread, of elements that other threads have copied.
__device__ unsigned variation(const int4 *tile)
{
	const int *row = (const int *)tile;
	unsigned sum = 0;
#pragma unroll
	for (int k = 0; k < ROW; k += THREADS) {
		int i = k + threadIdx.x;
		sum = __sad(row[(i + 1) % ROW], row[i], sum);
	}
	return sum;
}

// One atomic addition per warp.
__device__ void add(unsigned *total, unsigned sum)
{
	for (int d = 16; d > 0; d /= 2)
		sum += __shfl_down_sync(0xffffffff, sum, d);
	if (threadIdx.x % 32 == 0)
		atomicAdd(total, sum);
}

// Load, store, barrier, use, barrier: nothing is in flight while a row is used.
__global__ void plain(unsigned *total, const int4 *rows, int count)
{
	__shared__ int4 tile[THREADS];
	unsigned sum = 0;
#pragma unroll 1
	for (int r = blockIdx.x; r < count; r += gridDim.x) {
		tile[threadIdx.x] = rows[r * THREADS + threadIdx.x];
		__syncthreads();
		sum += variation(tile);
		__syncthreads();
	}
	add(total, sum);
}

// The next row waits in registers, four per thread.
__global__ void prefetched(unsigned *total, const int4 *rows, int count)
{
	__shared__ int4 tile[THREADS];
	unsigned sum = 0;
	int4 next = {};
	if (blockIdx.x < count)
		next = rows[blockIdx.x * THREADS + threadIdx.x];
#pragma unroll 1
	for (int r = blockIdx.x; r < count; r += gridDim.x) {
		tile[threadIdx.x] = next;
		__syncthreads();
		if (r + gridDim.x < count)
			next = rows[(r + gridDim.x) * THREADS + threadIdx.x];
		sum += variation(tile);
		__syncthreads();
	}
	add(total, sum);
}

// Starts the copy of row r, if there is one. Every call commits a group, so
// that the groups can be counted.
__device__ void start(int4 *tile, const int4 *rows, int r, int count)
{
	if (r < count)
		__pipeline_memcpy_async(&tile[threadIdx.x],
		                        &rows[r * THREADS + threadIdx.x], 16);
	__pipeline_commit();
}

// What a kernel does or leaves out.
enum { RIGHT, NO_WAIT, NO_BARRIER };

// STAGES tiles: one is used, the copies into the others are in flight.
template <int STAGES, int HOW = RIGHT>
__global__ void staged(unsigned *total, const int4 *rows, int count)
{
	__shared__ int4 tiles[STAGES][THREADS];
	unsigned sum = 0;
	for (int s = 0; s < STAGES - 1; s++)
		start(tiles[s], rows, blockIdx.x + s * gridDim.x, count);
	int k = 0;
#pragma unroll 1
	for (int r = blockIdx.x; r < count; r += gridDim.x) {
		int ahead = (k + STAGES - 1) % STAGES;
		start(tiles[ahead], rows, r + (STAGES - 1) * gridDim.x, count);
		if (HOW != NO_WAIT)
			__pipeline_wait_prior(STAGES - 1);
		__syncthreads();
		sum += variation(tiles[k]);
		if (HOW != NO_BARRIER)
			__syncthreads();
		k = (k + 1) % STAGES;
	}
	add(total, sum);
}
