// === honest-one-barrier
// The next copy starts after the barrier, when all threads have left the other tile: one barrier per tile.
#include <cuda_pipeline.h>
__global__ void double_buffer(int *out, const int *in, int tiles)
{
	__shared__ int tile[2][256];
	int t = threadIdx.x, sum = 0;
	in += blockIdx.x * tiles * 256 + t;
	__pipeline_memcpy_async(&tile[0][t], in, 4);
	__pipeline_commit();
	for (int k = 0; k < tiles; k++) {
		__pipeline_wait_prior(0);
		__syncthreads();
		if (k + 1 < tiles) {
			__pipeline_memcpy_async(&tile[(k + 1) % 2][t], in + 256 * (k + 1), 4);
			__pipeline_commit();
		}
		sum += abs(tile[k % 2][(t + 1) % 256] - tile[k % 2][t]);
	}
	out[blockIdx.x * 256 + t] = sum;
}

// === honest-pointers
// Two pointers that change places, and a last tile outside the loop.
#include <cuda_pipeline.h>
__global__ void double_buffer(int *out, const int *in, int tiles)
{
	__shared__ int tile[512];
	int t = threadIdx.x, sum = 0;
	in += blockIdx.x * tiles * 256 + t;
	int *now = tile, *next = tile + 256;
	__pipeline_memcpy_async(now + t, in, 4);
	__pipeline_commit();
	for (int k = 1; k < tiles; k++) {
		__pipeline_memcpy_async(next + t, in + 256 * k, 4);
		__pipeline_commit();
		__pipeline_wait_prior(1);
		__syncthreads();
		sum += abs(now[t < 255 ? t + 1 : 0] - now[t]);
		__syncthreads();
		int *other = now;
		now = next;
		next = other;
	}
	__pipeline_wait_prior(0);
	__syncthreads();
	sum += abs(now[t < 255 ? t + 1 : 0] - now[t]);
	out[blockIdx.x * 256 + t] = sum;
}

// === honest-asm
// The PTX instructions, and the loop unrolled by two.
__device__ void copy(unsigned to, const int *from)
{
	asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" :: "r"(to), "l"(from) : "memory");
	asm volatile("cp.async.commit_group;" ::: "memory");
}
__global__ void double_buffer(int *out, const int *in, int tiles)
{
	__shared__ int tile[2][256];
	int t = threadIdx.x, sum = 0;
	in += blockIdx.x * tiles * 256 + t;
	unsigned at = (unsigned)__cvta_generic_to_shared(&tile[0][t]);
	copy(at, in);
	for (int k = 0; k < tiles; k += 2) {
		if (k + 1 < tiles)
			copy(at + 1024, in + 256 * (k + 1));
		else
			asm volatile("cp.async.commit_group;" ::: "memory");
		asm volatile("cp.async.wait_group 1;" ::: "memory");
		__syncthreads();
		sum += abs(tile[0][(t + 1) & 255] - tile[0][t]);
		__syncthreads();
		if (k + 1 >= tiles)
			break;
		if (k + 2 < tiles)
			copy(at, in + 256 * (k + 2));
		else
			asm volatile("cp.async.commit_group;" ::: "memory");
		asm volatile("cp.async.wait_group 1;" ::: "memory");
		__syncthreads();
		sum += abs(tile[1][(t + 1) & 255] - tile[1][t]);
		__syncthreads();
	}
	out[blockIdx.x * 256 + t] = sum;
}

// === cheat-registers
// The next element waits in a register; cp.async is not used.
__global__ void double_buffer(int *out, const int *in, int tiles)
{
	__shared__ int tile[2][256];
	int t = threadIdx.x, sum = 0;
	in += blockIdx.x * tiles * 256 + t;
	int next = in[0];
	for (int k = 0; k < tiles; k++) {
		tile[k % 2][t] = next;
		__syncthreads();
		if (k + 1 < tiles)
			next = in[256 * (k + 1)];
		sum += abs(tile[k % 2][(t + 1) % 256] - tile[k % 2][t]);
	}
	out[blockIdx.x * 256 + t] = sum;
}

// === cheat-wait-for-all
// Two tiles, but the block waits for both copies.
#include <cuda_pipeline.h>
__global__ void double_buffer(int *out, const int *in, int tiles)
{
	__shared__ int tile[2][256];
	int t = threadIdx.x, sum = 0;
	in += blockIdx.x * tiles * 256 + t;
	__pipeline_memcpy_async(&tile[0][t], in, 4);
	__pipeline_commit();
	for (int k = 0; k < tiles; k++) {
		if (k + 1 < tiles)
			__pipeline_memcpy_async(&tile[(k + 1) % 2][t], in + 256 * (k + 1), 4);
		__pipeline_commit();
		__pipeline_wait_prior(0);
		__syncthreads();
		sum += abs(tile[k % 2][(t + 1) % 256] - tile[k % 2][t]);
		__syncthreads();
	}
	out[blockIdx.x * 256 + t] = sum;
}

// === cheat-four-tiles
// Four tiles instead of two.
#include <cuda_pipeline.h>
__global__ void double_buffer(int *out, const int *in, int tiles)
{
	__shared__ int tile[4][256];
	int t = threadIdx.x, sum = 0;
	in += blockIdx.x * tiles * 256 + t;
	for (int k = 0; k < 3; k++) {
		if (k < tiles)
			__pipeline_memcpy_async(&tile[k][t], in + 256 * k, 4);
		__pipeline_commit();
	}
	for (int k = 0; k < tiles; k++) {
		if (k + 3 < tiles)
			__pipeline_memcpy_async(&tile[(k + 3) % 4][t], in + 256 * (k + 3), 4);
		__pipeline_commit();
		__pipeline_wait_prior(3);
		__syncthreads();
		sum += abs(tile[k % 4][(t + 1) % 256] - tile[k % 4][t]);
		__syncthreads();
	}
	out[blockIdx.x * 256 + t] = sum;
}

// === cheat-dummy-copy
// What is in flight is a copy that nothing uses.
#include <cuda_pipeline.h>
__global__ void double_buffer(int *out, const int *in, int tiles)
{
	__shared__ int tile[2][256];
	int t = threadIdx.x, sum = 0;
	in += blockIdx.x * tiles * 256 + t;
	for (int k = 0; k < tiles; k++) {
		__pipeline_memcpy_async(&tile[0][t], in + 256 * k, 4);
		__pipeline_commit();
		__pipeline_memcpy_async(&tile[1][t], in + 256 * k, 4);
		__pipeline_commit();
		__pipeline_wait_prior(1);
		__syncthreads();
		sum += abs(tile[0][(t + 1) % 256] - tile[0][t]);
		__syncthreads();
	}
	out[blockIdx.x * 256 + t] = sum;
}

// === cheat-every-second
// Only every second copy starts ahead.
#include <cuda_pipeline.h>
__global__ void double_buffer(int *out, const int *in, int tiles)
{
	__shared__ int tile[2][256];
	int t = threadIdx.x, sum = 0;
	in += blockIdx.x * tiles * 256 + t;
	for (int k = 0; k < tiles; k++) {
		if (k % 2 == 0) {
			__pipeline_memcpy_async(&tile[0][t], in + 256 * k, 4);
			__pipeline_commit();
			if (k + 1 < tiles)
				__pipeline_memcpy_async(&tile[1][t], in + 256 * (k + 1), 4);
			__pipeline_commit();
			__pipeline_wait_prior(1);
		} else {
			__pipeline_wait_prior(0);
		}
		__syncthreads();
		sum += abs(tile[k % 2][(t + 1) % 256] - tile[k % 2][t]);
		__syncthreads();
	}
	out[blockIdx.x * 256 + t] = sum;
}

// === cheat-no-tile
// Each thread loads both elements itself.
__global__ void double_buffer(int *out, const int *in, int tiles)
{
	int t = threadIdx.x, sum = 0;
	in += blockIdx.x * tiles * 256;
	for (int k = 0; k < tiles; k++)
		sum += abs(in[256 * k + (t + 1) % 256] - in[256 * k + t]);
	out[blockIdx.x * 256 + t] = sum;
}

// === cheat-one-warp-copies
// The first warp copies for all.
#include <cuda_pipeline.h>
__global__ void double_buffer(int *out, const int *in, int tiles)
{
	__shared__ int tile[2][256];
	int t = threadIdx.x, sum = 0;
	in += blockIdx.x * tiles * 256;
	for (int k = -1; k < tiles; k++) {
		if (t < 32 && k + 1 < tiles)
			for (int i = t; i < 256; i += 32)
				__pipeline_memcpy_async(&tile[(k + 1) % 2][i], in + 256 * (k + 1) + i, 4);
		__pipeline_commit();
		if (k < 0)
			continue;
		__pipeline_wait_prior(1);
		__syncthreads();
		sum += abs(tile[k % 2][(t + 1) % 256] - tile[k % 2][t]);
		__syncthreads();
	}
	out[blockIdx.x * 256 + t] = sum;
}

// === mutant-no-empty-group
// No group at the end: the last tile is not waited for.
#include <cuda_pipeline.h>
__global__ void double_buffer(int *out, const int *in, int tiles)
{
	__shared__ int tile[2][256];
	int t = threadIdx.x, sum = 0;
	in += blockIdx.x * tiles * 256 + t;
	__pipeline_memcpy_async(&tile[0][t], in, 4);
	__pipeline_commit();
	for (int k = 0; k < tiles; k++) {
		if (k + 1 < tiles) {
			__pipeline_memcpy_async(&tile[(k + 1) % 2][t], in + 256 * (k + 1), 4);
			__pipeline_commit();
		}
		__pipeline_wait_prior(1);
		__syncthreads();
		sum += abs(tile[k % 2][(t + 1) % 256] - tile[k % 2][t]);
		__syncthreads();
	}
	out[blockIdx.x * 256 + t] = sum;
}
