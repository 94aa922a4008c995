// Memory that nothing wrote.
#include "cases.h"

__global__ void add(const int *a, const int *b, int *c, int n) {
	const int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) c[i] = a[i] + b[i]; // <- elements for bytes: init: ; .
}

CASE("elements for bytes") {
	int *a = numbers(512), *b, *c = zeros(512);
	cudaMalloc(&b, 512 * sizeof(int));
	cudaMemcpy(b, host, 512, cudaMemcpyHostToDevice);
	add<<<2, 256>>>(a, b, c, 512);
	take(c, 512), cudaFree(a), cudaFree(b);
}

__global__ void count(const int *in, int *bins) {
	atomicAdd(&bins[in[threadIdx.x] % 8], 1); // <- bins never cleared: init: ; .
}

CASE("bins never cleared") {
	int *in = numbers(64), *bins;
	cudaMalloc(&bins, 8 * sizeof(int));
	count<<<1, 64>>>(in, bins);
	take(bins, 8), cudaFree(in);
}

__global__ void accumulate(int *sum, const int *in) {
	sum[threadIdx.x] += in[threadIdx.x]; // <- fill of elements: init: ; .
}

CASE("fill of elements") {
	int *sum, *in = numbers(128);
	cudaMalloc(&sum, 128 * sizeof(int));
	cudaMemset(sum, 0, 128);
	accumulate<<<1, 128>>>(sum, in);
	take(sum, 128), cudaFree(in);
}

__global__ void squares(int *out, int n) {
	const int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) out[i] = i * i;
}

CASE("blocks rounded down") {
	int *x;
	cudaMalloc(&x, 1000 * sizeof(int));
	squares<<<1000 / 256, 256>>>(x, 1000);
	cudaMemcpy(host, x, 1000 * sizeof(int), cudaMemcpyDeviceToHost); // <- blocks rounded down: init: 232 of 1 000; round
	cudaFree(x);
}

CASE("never computed") {
	int *x;
	cudaMalloc(&x, 256 * sizeof(int));
	cudaMemcpy(host, x, 256 * sizeof(int), cudaMemcpyDeviceToHost); // <- never computed: init: nothing wrote; .
	cudaFree(x);
}

__global__ void block_bins(const int *in, int *out) {
	__shared__ int bins[8];
	atomicAdd(&bins[in[threadIdx.x] % 8], 1); // <- shared bins never cleared: init: ; .
	__syncthreads();
	if (threadIdx.x < 8) out[threadIdx.x] = bins[threadIdx.x];
}

CASE("shared bins never cleared") {
	int *in = numbers(64), *out = zeros(8);
	block_bins<<<1, 64>>>(in, out);
	take(out, 8), cudaFree(in);
}

struct Particle {
	int x, y, mass;
};

__global__ void place(Particle *p) {
	p[threadIdx.x].x = p[threadIdx.x].y = threadIdx.x;
}

__global__ void weigh(const Particle *p, int *out) {
	out[threadIdx.x] = p[threadIdx.x].x * p[threadIdx.x].mass; // <- member never set: init: ; .
}

CASE("member never set") {
	Particle *p;
	int *out = zeros(32);
	cudaMalloc(&p, 32 * sizeof *p);
	place<<<1, 32>>>(p);
	weigh<<<1, 32>>>(p, out);
	take(out, 32), cudaFree(p);
}

__global__ void smooth(const int *in, int *out, int n) {
	const int i = threadIdx.x;
	if (i > 0 && i < n - 1) out[i] = (in[i - 1] + in[i] + in[i + 1]) / 3; // <- border of the other buffer: init: ; .
}

CASE("border of the other buffer") {
	int *a = numbers(64), *b;
	cudaMalloc(&b, 64 * sizeof(int));
	smooth<<<1, 64>>>(a, b, 64);
	smooth<<<1, 64>>>(b, a, 64);
	take(a, 64), cudaFree(b);
}

__global__ void local_half(const int *in, int *out) {
	int part[8];
	for (int i = 0; i < 4; i++) part[i] = in[i];
	out[threadIdx.x] = part[in[threadIdx.x] % 8]; // <- half of a local array: init: ; .
}

CASE("half of a local array") {
	int *in = numbers(32), *out = zeros(32);
	local_half<<<1, 32>>>(in, out);
	take(out, 32), cudaFree(in);
}

__global__ void row_sums(const int *x, size_t pitch, int *out) {
	const int *row = (const int *)((const char *)x + threadIdx.x * pitch);
	int sum = 0;
	for (int i = 0; i < 20; i++) sum += row[i]; // <- rows without their pitch: init: ; .
	out[threadIdx.x] = sum;
}

CASE("rows without their pitch") {
	int *x, *out = zeros(8);
	size_t pitch;
	cudaMallocPitch(&x, &pitch, 20 * sizeof(int), 8);
	cudaMemcpy(x, host, 8 * 20 * sizeof(int), cudaMemcpyHostToDevice);
	row_sums<<<1, 8>>>(x, pitch, out);
	take(out, 8), cudaFree(x);
}
