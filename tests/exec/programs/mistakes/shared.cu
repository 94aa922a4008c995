// Races in shared memory.
#include "cases.h"

__global__ void histogram(const int *in, int *out) {
	__shared__ int bins[64];
	if (threadIdx.x < 64) bins[threadIdx.x] = 0; // <- bins cleared too late: race: another thread|thread; barrier|__syncthreads
	atomicAdd(&bins[in[threadIdx.x] % 7], 1);
	__syncthreads();
	if (threadIdx.x < 64) out[threadIdx.x] = bins[threadIdx.x];
}

CASE("bins cleared too late") {
	int *in = numbers(256), *out = zeros(64);
	histogram<<<1, 256>>>(in, out);
	take(out, 64), cudaFree(in);
}

__global__ void tree(const int *in, int *out) {
	__shared__ int part[256];
	part[threadIdx.x] = in[threadIdx.x];
	__syncthreads();
	for (int step = 128; step > 0; step /= 2)
		if (threadIdx.x < step) part[threadIdx.x] += part[threadIdx.x + step]; // <- tree without a barrier: race: thread; barrier|__syncthreads
	if (threadIdx.x == 0) *out = part[0];
}

CASE("tree without a barrier") {
	int *in = numbers(256), *out = zeros(1);
	tree<<<1, 256>>>(in, out);
	take(out), cudaFree(in);
}

__global__ void product(const int *a, const int *b, int *c) {
	__shared__ int ta[16][16], tb[16][16];
	const int x = threadIdx.x, y = threadIdx.y;
	int sum = 0;
	for (int tile = 0; tile < 2; tile++) {
		ta[y][x] = a[y * 32 + tile * 16 + x]; // <- next tile too early: race: thread; barrier|__syncthreads
		tb[y][x] = b[(tile * 16 + y) * 16 + x];
		__syncthreads();
		for (int k = 0; k < 16; k++) sum += ta[y][k] * tb[k][x];
	}
	c[y * 16 + x] = sum;
}

CASE("next tile too early") {
	int *a = numbers(512), *b = numbers(512), *c = zeros(256);
	product<<<1, dim3(16, 16)>>>(a, b, c);
	take(c, 256), cudaFree(a), cudaFree(b);
}

__global__ void mean(const int *in, int *out) {
	__shared__ int first;
	if (threadIdx.x == 0) first = in[0]; // <- value for all read too early: race: thread; barrier|__syncthreads
	out[threadIdx.x] = in[threadIdx.x] - first;
}

CASE("value for all read too early") {
	int *in = numbers(256), *out = zeros(256);
	mean<<<1, 256>>>(in, out);
	take(out, 256), cudaFree(in);
}

__global__ void blur(const int *in, int *out) {
	__shared__ int line[258];
	const int i = threadIdx.x;
	line[i + 1] = in[i];
	if (i == 0) line[0] = in[0];
	if (i == 255) line[257] = in[255];
	out[i] = line[i] + line[i + 1] + line[i + 2]; // <- neighbors of a tile: race: thread; barrier|__syncthreads
}

CASE("neighbors of a tile") {
	int *in = numbers(256), *out = zeros(256);
	blur<<<1, 256>>>(in, out);
	take(out, 256), cudaFree(in);
}

__global__ void last_warp(const int *in, int *out) {
	__shared__ int part[64];
	part[threadIdx.x] = in[threadIdx.x];
	__syncthreads();
	if (threadIdx.x < 32) {
		part[threadIdx.x] += part[threadIdx.x + 32];
		part[threadIdx.x] += part[threadIdx.x + 16];
		part[threadIdx.x] += part[threadIdx.x + 8];
		part[threadIdx.x] += part[threadIdx.x + 4]; // <- last warp in lockstep: race: lane|thread; __syncwarp\(\)
	}
	if (threadIdx.x == 0) *out = part[0] + part[1] + part[2] + part[3];
}

CASE("last warp in lockstep") {
	int *in = numbers(64), *out = zeros(1);
	last_warp<<<1, 64>>>(in, out);
	take(out), cudaFree(in);
}

__global__ void scan(int *data) {
	__shared__ int line[128];
	line[threadIdx.x] = data[threadIdx.x];
	__syncthreads();
	for (int step = 1; step < 128; step *= 2) {
		if (threadIdx.x >= step) line[threadIdx.x] += line[threadIdx.x - step]; // <- scan in place: race: thread; barrier|__syncthreads
		__syncthreads();
	}
	data[threadIdx.x] = line[threadIdx.x];
}

CASE("scan in place") {
	int *data = numbers(128);
	scan<<<1, 128>>>(data);
	take(data, 128);
}

__global__ void sum(const int *in, int *out) {
	__shared__ int total;
	if (threadIdx.x == 0) total = 0;
	__syncthreads();
	total += in[threadIdx.x]; // <- sum without an atomic: race: thread; atomic
	__syncthreads();
	if (threadIdx.x == 0) *out = total;
}

CASE("sum without an atomic") {
	int *in = numbers(128), *out = zeros(1);
	sum<<<1, 128>>>(in, out);
	take(out), cudaFree(in);
}

__global__ void rounds(const int *in, int *out) {
	__shared__ int chosen;
	int mine = 0;
	for (int i = 0; i < 4; i++) {
		if (threadIdx.x == i * 32) chosen = in[i]; // <- choice of the next round: race: thread; barrier|__syncthreads
		__syncthreads();
		mine += chosen * (int)threadIdx.x;
	}
	out[threadIdx.x] = mine;
}

CASE("choice of the next round") {
	int *in = numbers(4), *out = zeros(128);
	rounds<<<1, 128>>>(in, out);
	take(out, 128), cudaFree(in);
}

__global__ void reversed(int *data) {
	__shared__ int line[128];
	line[threadIdx.x] = data[threadIdx.x];
	__syncthreads();
	line[threadIdx.x] = line[127 - threadIdx.x]; // <- reversed in place: race: thread; barrier|__syncthreads
	__syncthreads();
	data[threadIdx.x] = line[threadIdx.x];
}

CASE("reversed in place") {
	int *data = numbers(128);
	reversed<<<1, 128>>>(data);
	take(data, 128);
}
