// Barriers that some threads miss, and masks that do not fit.
#include "cases.h"

__global__ void guarded(const int *in, int *out, int n) {
	__shared__ int line[128];
	const int i = threadIdx.x;
	if (i >= n) return;
	line[i] = in[i];
	__syncthreads(); // <- return before a barrier: sync: ; do not return before
	out[i] = line[n - 1 - i];
}

CASE("return before a barrier") {
	int *in = numbers(128), *out = zeros(128);
	guarded<<<1, 128>>>(in, out, 100);
	take(out, 128), cudaFree(in);
}

__global__ void in_branch(const int *in, int *out) {
	__shared__ int line[64];
	line[threadIdx.x] = in[threadIdx.x];
	if (threadIdx.x < 40) {
		__syncthreads(); // <- barrier in a branch: sync: not reached by all; guard the computation, not the barrier
		out[threadIdx.x] = line[39 - threadIdx.x];
	}
}

CASE("barrier in a branch") {
	int *in = numbers(64), *out = zeros(64);
	in_branch<<<1, 64>>>(in, out);
	take(out, 64), cudaFree(in);
}

__global__ void uneven(const int *in, int *out) {
	__shared__ int line[64];
	const int turns = threadIdx.x < 32 ? 2 : 3;
	int sum = 0;
	for (int i = 0; i < turns; i++) {
		line[threadIdx.x] = in[threadIdx.x] + i;
		__syncthreads(); // <- barrier in an uneven loop: sync: not reached by all; guard the computation, not the barrier
		sum += line[threadIdx.x];
	}
	out[threadIdx.x] = sum;
}

CASE("barrier in an uneven loop") {
	int *in = numbers(64), *out = zeros(64);
	uneven<<<1, 64>>>(in, out);
	take(out, 64), cudaFree(in);
}

__global__ void found_by_some(const int *in, int *out) {
	const int i = threadIdx.x;
	for (int round = 0; round < 4; round++) {
		if (in[i] + round > 90) break;
		__syncthreads(); // <- break before a barrier: sync: not reached by all; guard the computation, not the barrier
	}
	out[i] = in[i];
}

CASE("break before a barrier") {
	int *in = numbers(64), *out = zeros(64);
	found_by_some<<<1, 64>>>(in, out);
	int *more = numbers(128), *shown = zeros(128);
	found_by_some<<<1, 128>>>(more, shown);
	take(out, 64), take(shown, 128), cudaFree(in), cudaFree(more);
}

__global__ void vote_in_loop(const int *in, int *out) {
	int turns = 0;
	for (int i = 0; i < in[threadIdx.x] % 5; i++)
		if (__any_sync(0xffffffff, i == 3)) turns++; // <- vote in an uneven loop: sync: names lanes that do not reach; name exactly
	out[threadIdx.x] = turns;
}

CASE("vote in an uneven loop") {
	int *in = numbers(32), *out = zeros(32);
	vote_in_loop<<<1, 32>>>(in, out);
	take(out, 32), cudaFree(in);
}

__global__ void half_shuffle(const int *in, int *out) {
	const int lane = threadIdx.x;
	int value = in[lane];
	if (lane < 16) {
		value += __shfl_down_sync(0xffffffff, value, 8); // <- full mask for half a warp: sync: does not take part|names lanes that do not reach; name exactly|let the whole warp
		value *= in[lane + 1];
	} else {
		value += __shfl_up_sync(0xffffffff, value, 4);
	}
	out[lane] = value;
}

CASE("full mask for half a warp") {
	int *in = numbers(64), *out = zeros(32);
	half_shuffle<<<1, 32>>>(in, out);
	take(out, 32), cudaFree(in);
}

__global__ void without_caller(const int *in, int *out) {
	out[threadIdx.x] = __ballot_sync(0x0000ffff, in[threadIdx.x] > 3); // <- mask without the caller: sync: does not name it; mask
}

CASE("mask without the caller") {
	int *in = numbers(32), *out = zeros(32);
	without_caller<<<1, 32>>>(in, out);
	take(out, 32), cudaFree(in);
}

__global__ void differing(const int *in, int *out) {
	const unsigned mask = 0xffffffffu >> (threadIdx.x / 16); // lanes of one warp pass two masks
	out[threadIdx.x] = __shfl_sync(mask, in[threadIdx.x], 0); // <- two masks in a warp: sync: mask; mask
}

CASE("two masks in a warp") {
	int *in = numbers(32), *out = zeros(32);
	differing<<<1, 32>>>(in, out);
	take(out, 32), cudaFree(in);
}

__global__ void absent_source(const int *in, int *out) {
	const int lane = threadIdx.x;
	if (lane < 20) out[lane] = __shfl_xor_sync(0x000fffff, in[lane], 16); // <- shuffle from an absent lane: sync: does not take part in the shuffle; let the whole warp shuffle, with 0
}

CASE("shuffle from an absent lane") {
	int *in = numbers(32), *out = zeros(32);
	absent_source<<<1, 32>>>(in, out);
	take(out, 32), cudaFree(in);
}

__global__ void one_sum(const int *in, int *out) {
	int value = in[threadIdx.x];
	if (value % 2) {
		for (int step = 16; step; step /= 2) value += __shfl_xor_sync(__activemask(), value, step); // <- sum of the odd numbers: sync: does not take part; 0 in lanes
		out[threadIdx.x] = value;
	}
}

CASE("sum of the odd numbers") {
	int *in = numbers(32), *out = zeros(32);
	one_sum<<<1, 32>>>(in, out);
	take(out, 32), cudaFree(in);
}
