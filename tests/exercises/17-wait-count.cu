// === honest-one-barrier
// The copy starts after the barrier: one group of the two may be pending at the wait.
#include <cuda_pipeline.h>
__global__ void wait_count(int *out, const int *in, int tiles)
{
	__shared__ int tile[3][256];
	int t = threadIdx.x, sum = 0;
	in += blockIdx.x * tiles * 256 + t;
	for (int k = 0; k < 2; k++) {
		if (k < tiles)
			__pipeline_memcpy_async(&tile[k][t], in + 256 * k, 4);
		__pipeline_commit();
	}
	for (int k = 0; k < tiles; k++) {
		__pipeline_wait_prior(1);
		__syncthreads();
		if (k + 2 < tiles)
			__pipeline_memcpy_async(&tile[(k + 2) % 3][t], in + 256 * (k + 2), 4);
		__pipeline_commit();
		sum += abs(tile[k % 3][(t + 1) % 256] - tile[k % 3][t]);
	}
	out[blockIdx.x * 256 + t] = sum;
}

// === honest-smaller-count
// Groups only where there are copies, and smaller counts at the end.
#include <cuda_pipeline.h>
__global__ void wait_count(int *out, const int *in, int tiles)
{
	__shared__ int tile[3][256];
	int t = threadIdx.x, sum = 0;
	in += blockIdx.x * tiles * 256 + t;
	for (int k = 0; k < 2; k++) {
		if (k < tiles) {
			__pipeline_memcpy_async(&tile[k][t], in + 256 * k, 4);
			__pipeline_commit();
		}
	}
	for (int k = 0; k < tiles; k++) {
		if (k + 2 < tiles) {
			__pipeline_memcpy_async(&tile[(k + 2) % 3][t], in + 256 * (k + 2), 4);
			__pipeline_commit();
			__pipeline_wait_prior(2);
		} else if (k + 1 < tiles) {
			__pipeline_wait_prior(1);
		} else {
			__pipeline_wait_prior(0);
		}
		__syncthreads();
		sum += abs(tile[k % 3][(t + 1) % 256] - tile[k % 3][t]);
		__syncthreads();
	}
	out[blockIdx.x * 256 + t] = sum;
}

// === honest-stage-index
// Indices that wrap around, and cp.async by name.
__global__ void wait_count(int *out, const int *in, int tiles)
{
	__shared__ int tile[3][256];
	int t = threadIdx.x, sum = 0;
	in += blockIdx.x * tiles * 256 + t;
	int now = 0, ahead = 0;
	for (int k = -2; k < tiles; k++) {
		if (k + 2 < tiles)
			asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::
				"r"((unsigned)__cvta_generic_to_shared(&tile[ahead][t])), "l"(in + 256 * (k + 2)) : "memory");
		asm volatile("cp.async.commit_group;" ::: "memory");
		ahead = ahead == 2 ? 0 : ahead + 1;
		if (k < 0)
			continue;
		asm volatile("cp.async.wait_group 2;" ::: "memory");
		__syncthreads();
		sum += abs(tile[now][(t + 1) & 255] - tile[now][t]);
		__syncthreads();
		now = now == 2 ? 0 : now + 1;
	}
	out[blockIdx.x * 256 + t] = sum;
}

// === mutant-conditional-groups
// The count is 2, but no group is committed near the end.
#include <cuda_pipeline.h>
__global__ void wait_count(int *out, const int *in, int tiles)
{
	__shared__ int tile[3][256];
	int t = threadIdx.x, sum = 0;
	in += blockIdx.x * tiles * 256 + t;
	for (int k = 0; k < 2; k++) {
		if (k < tiles)
			__pipeline_memcpy_async(&tile[k][t], in + 256 * k, 4);
		__pipeline_commit();
	}
	for (int k = 0; k < tiles; k++) {
		if (k + 2 < tiles) {
			__pipeline_memcpy_async(&tile[(k + 2) % 3][t], in + 256 * (k + 2), 4);
			__pipeline_commit();
		}
		__pipeline_wait_prior(2);
		__syncthreads();
		sum += abs(tile[k % 3][(t + 1) % 256] - tile[k % 3][t]);
		__syncthreads();
	}
	out[blockIdx.x * 256 + t] = sum;
}

// === mutant-count-of-three
// One group too many may be pending.
#include <cuda_pipeline.h>
__global__ void wait_count(int *out, const int *in, int tiles)
{
	__shared__ int tile[3][256];
	int t = threadIdx.x, sum = 0;
	in += blockIdx.x * tiles * 256 + t;
	for (int k = 0; k < 2; k++) {
		if (k < tiles)
			__pipeline_memcpy_async(&tile[k][t], in + 256 * k, 4);
		__pipeline_commit();
	}
	for (int k = 0; k < tiles; k++) {
		if (k + 2 < tiles)
			__pipeline_memcpy_async(&tile[(k + 2) % 3][t], in + 256 * (k + 2), 4);
		__pipeline_commit();
		__pipeline_wait_prior(3);
		__syncthreads();
		sum += abs(tile[k % 3][(t + 1) % 256] - tile[k % 3][t]);
		__syncthreads();
	}
	out[blockIdx.x * 256 + t] = sum;
}

// === mutant-no-second-barrier
// A fast warp overwrites a tile that is in use.
#include <cuda_pipeline.h>
__global__ void wait_count(int *out, const int *in, int tiles)
{
	__shared__ int tile[3][256];
	int t = threadIdx.x, sum = 0;
	in += blockIdx.x * tiles * 256 + t;
	for (int k = 0; k < 2; k++) {
		if (k < tiles)
			__pipeline_memcpy_async(&tile[k][t], in + 256 * k, 4);
		__pipeline_commit();
	}
	for (int k = 0; k < tiles; k++) {
		if (k + 2 < tiles)
			__pipeline_memcpy_async(&tile[(k + 2) % 3][t], in + 256 * (k + 2), 4);
		__pipeline_commit();
		__pipeline_wait_prior(2);
		__syncthreads();
		sum += abs(tile[k % 3][(t + 1) % 256] - tile[k % 3][t]);
	}
	out[blockIdx.x * 256 + t] = sum;
}

// === mutant-no-wait
// The barrier takes the place of the wait.
#include <cuda_pipeline.h>
__global__ void wait_count(int *out, const int *in, int tiles)
{
	__shared__ int tile[3][256];
	int t = threadIdx.x, sum = 0;
	in += blockIdx.x * tiles * 256 + t;
	for (int k = 0; k < 2; k++) {
		if (k < tiles)
			__pipeline_memcpy_async(&tile[k][t], in + 256 * k, 4);
		__pipeline_commit();
	}
	for (int k = 0; k < tiles; k++) {
		if (k + 2 < tiles)
			__pipeline_memcpy_async(&tile[(k + 2) % 3][t], in + 256 * (k + 2), 4);
		__pipeline_commit();
		__syncthreads();
		sum += abs(tile[k % 3][(t + 1) % 256] - tile[k % 3][t]);
		__syncthreads();
	}
	out[blockIdx.x * 256 + t] = sum;
}

// === cheat-count-of-one
// One later copy is in flight, not two.
#include <cuda_pipeline.h>
__global__ void wait_count(int *out, const int *in, int tiles)
{
	__shared__ int tile[3][256];
	int t = threadIdx.x, sum = 0;
	in += blockIdx.x * tiles * 256 + t;
	for (int k = 0; k < 2; k++) {
		if (k < tiles)
			__pipeline_memcpy_async(&tile[k][t], in + 256 * k, 4);
		__pipeline_commit();
	}
	for (int k = 0; k < tiles; k++) {
		if (k + 2 < tiles)
			__pipeline_memcpy_async(&tile[(k + 2) % 3][t], in + 256 * (k + 2), 4);
		__pipeline_commit();
		__pipeline_wait_prior(1);
		__syncthreads();
		sum += abs(tile[k % 3][(t + 1) % 256] - tile[k % 3][t]);
		__syncthreads();
	}
	out[blockIdx.x * 256 + t] = sum;
}

// === cheat-count-of-zero
// All copies are waited for, as in the starter, with empty groups.
#include <cuda_pipeline.h>
__global__ void wait_count(int *out, const int *in, int tiles)
{
	__shared__ int tile[3][256];
	int t = threadIdx.x, sum = 0;
	in += blockIdx.x * tiles * 256 + t;
	for (int k = 0; k < 2; k++) {
		if (k < tiles)
			__pipeline_memcpy_async(&tile[k][t], in + 256 * k, 4);
		__pipeline_commit();
	}
	for (int k = 0; k < tiles; k++) {
		if (k + 2 < tiles)
			__pipeline_memcpy_async(&tile[(k + 2) % 3][t], in + 256 * (k + 2), 4);
		__pipeline_commit();
		__pipeline_wait_prior(0);
		__syncthreads();
		sum += abs(tile[k % 3][(t + 1) % 256] - tile[k % 3][t]);
		__syncthreads();
	}
	out[blockIdx.x * 256 + t] = sum;
}

// === cheat-two-tiles
// Double buffering in three tiles.
#include <cuda_pipeline.h>
__global__ void wait_count(int *out, const int *in, int tiles)
{
	__shared__ int tile[3][256];
	int t = threadIdx.x, sum = 0;
	in += blockIdx.x * tiles * 256 + t;
	__pipeline_memcpy_async(&tile[0][t], in, 4);
	__pipeline_commit();
	for (int k = 0; k < tiles; k++) {
		if (k + 1 < tiles)
			__pipeline_memcpy_async(&tile[(k + 1) % 3][t], in + 256 * (k + 1), 4);
		__pipeline_commit();
		__pipeline_wait_prior(1);
		__syncthreads();
		sum += abs(tile[k % 3][(t + 1) % 256] - tile[k % 3][t]);
		__syncthreads();
	}
	out[blockIdx.x * 256 + t] = sum;
}

// === cheat-six-tiles
// Six tiles, five of them in flight.
#include <cuda_pipeline.h>
__global__ void wait_count(int *out, const int *in, int tiles)
{
	__shared__ int tile[6][256];
	int t = threadIdx.x, sum = 0;
	in += blockIdx.x * tiles * 256 + t;
	for (int k = -5; k < tiles; k++) {
		if (k + 5 < tiles)
			__pipeline_memcpy_async(&tile[(k + 5) % 6][t], in + 256 * (k + 5), 4);
		__pipeline_commit();
		if (k < 0)
			continue;
		__pipeline_wait_prior(5);
		__syncthreads();
		sum += abs(tile[k % 6][(t + 1) % 256] - tile[k % 6][t]);
		__syncthreads();
	}
	out[blockIdx.x * 256 + t] = sum;
}

// === cheat-dummy-copies
// One real copy ahead, and one that nothing uses.
#include <cuda_pipeline.h>
__global__ void wait_count(int *out, const int *in, int tiles)
{
	__shared__ int tile[3][256];
	int t = threadIdx.x, sum = 0;
	in += blockIdx.x * tiles * 256 + t;
	__pipeline_memcpy_async(&tile[0][t], in, 4);
	__pipeline_commit();
	for (int k = 0; k < tiles; k++) {
		if (k + 1 < tiles)
			__pipeline_memcpy_async(&tile[(k + 1) % 2][t], in + 256 * (k + 1), 4);
		__pipeline_memcpy_async(&tile[2][t], in + 256 * k, 4);
		__pipeline_commit();
		__pipeline_wait_prior(1);
		__syncthreads();
		sum += abs(tile[k % 2][(t + 1) % 256] - tile[k % 2][t]);
		__syncthreads();
	}
	out[blockIdx.x * 256 + t] = sum;
}

// === cheat-registers
// Two elements wait in registers.
__global__ void wait_count(int *out, const int *in, int tiles)
{
	__shared__ int tile[3][256];
	int t = threadIdx.x, sum = 0;
	in += blockIdx.x * tiles * 256 + t;
	int one = in[0], two = tiles > 1 ? in[256] : 0;
	for (int k = 0; k < tiles; k++) {
		tile[k % 3][t] = one;
		one = two;
		__syncthreads();
		if (k + 2 < tiles)
			two = in[256 * (k + 2)];
		sum += abs(tile[k % 3][(t + 1) % 256] - tile[k % 3][t]);
	}
	out[blockIdx.x * 256 + t] = sum;
}

// === cheat-all-near-the-end
// The last two iterations wait for everything.
// - __pipeline_wait_prior(STAGES - 1);
// + if (ahead < tiles) __pipeline_wait_prior(STAGES - 1); else __pipeline_wait_prior(0);
