// Races in global memory, locks, flags, tiles of the tensor cores, asynchronous copies.
#include <cooperative_groups.h>
#include <cuda_pipeline.h>
#include <mma.h>

#include "cases.h"

__global__ void total(int *sum, const int *in) {
	*sum += in[threadIdx.x]; // <- counter without an atomic: race: ; atomic
}

CASE("counter without an atomic") {
	int *sum = zeros(1), *in = numbers(128);
	total<<<2, 64>>>(sum, in);
	take(sum), cudaFree(in);
}

__global__ void in_place(int *x) {
	const int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i > 0) x[i] = x[i] + x[i - 1]; // <- neighbor in place: race: ; .
}

CASE("neighbor in place") {
	int *x = numbers(256);
	in_place<<<4, 64>>>(x);
	take(x, 256);
}

__device__ unsigned done;

__global__ void last_block(int *parts, int *out) {
	__shared__ bool last;
	if (threadIdx.x == 0) {
		parts[blockIdx.x] = blockIdx.x + 1;
		last = atomicAdd(&done, 1) == gridDim.x - 1; // <~ sum of the last block without a fence: race: ; __threadfence\(\)
	}
	__syncthreads();
	if (!last || threadIdx.x) return;
	int sum = 0;
	for (int i = 0; i < gridDim.x; i++) sum += ((volatile int *)parts)[i];
	*out = sum;
}

CASE("sum of the last block without a fence") {
	int *parts = zeros(8), *out = zeros(1);
	last_block<<<8, 32>>>(parts, out);
	take(out), cudaFree(parts);
}

__device__ int lock;

__global__ void locked(int *sum) {
	if (threadIdx.x == 0) {
		while (atomicCAS(&lock, 0, 1)) {}
		*sum += 1; // <- lock without fences: race: ; fence
		atomicExch(&lock, 0);
	}
}

CASE("lock without fences") {
	int *sum = zeros(1);
	locked<<<8, 32>>>(sum);
	take(sum);
}

__global__ void tile(const half *a, int *out) {
	using namespace nvcuda::wmma;
	__shared__ alignas(32) float sums[256];
	fragment<matrix_a, 16, 16, 16, half, row_major> fa;
	fragment<matrix_b, 16, 16, 16, half, col_major> fb;
	fragment<accumulator, 16, 16, 16, float> fc;
	fill_fragment(fc, 0.0f);
	load_matrix_sync(fa, a, 16);
	load_matrix_sync(fb, a, 16);
	mma_sync(fc, fa, fb, fc);
	store_matrix_sync(sums, fc, 16, mem_row_major); // <~ tile without a warp barrier: race: ; __syncwarp\(\)
	out[threadIdx.x] = (int)sums[threadIdx.x * 8 + 3];
}

CASE("tile without a warp barrier") {
	int *a = zeros(128), *out = zeros(32);
	tile<<<1, 32>>>((const half *)a, out);
	take(out, 32), cudaFree(a);
}

__global__ void asynchronous(const int *in, int *out) {
	__shared__ int line[64];
	__pipeline_memcpy_async(&line[threadIdx.x], &in[threadIdx.x], sizeof(int));
	__pipeline_commit();
	out[threadIdx.x] = line[threadIdx.x]; // <- copy not waited for: race: copy; wait
	__pipeline_wait_prior(0);
}

CASE("copy not waited for") {
	int *in = numbers(64), *out = zeros(64);
	asynchronous<<<1, 64>>>(in, out);
	take(out, 64), cudaFree(in);
}

__global__ void all_blocks(int *x) {
	x[blockIdx.x] = 1;
	cooperative_groups::this_grid().sync(); // <~ grid barrier of an ordinary launch: fault: cudaLaunchCooperativeKernel; .
	if (blockIdx.x == 0) x[gridDim.x] = x[gridDim.x - 1];
}

CASE("grid barrier of an ordinary launch") {
	int *x = zeros(5);
	all_blocks<<<4, 32>>>(x);
	take(x, 5);
}

__global__ void first_wins(const int *in, int *out) {
	if (in[threadIdx.x] % 3 == 0) *out = threadIdx.x; // <- the last store wins: race: ; .
}

CASE("the last store wins") {
	int *in = numbers(64), *out = zeros(1);
	first_wins<<<1, 64>>>(in, out);
	take(out), cudaFree(in);
}
