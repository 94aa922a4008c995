// Addresses that a kernel cannot use.
#include "cases.h"

__global__ void twice(int *x, int n) {
	const int i = blockIdx.x * blockDim.x + threadIdx.x;
	x[i] *= 2; // <- no guard: memory: past the end; check the index
}

CASE("no guard") {
	int *x = numbers(1000);
	twice<<<4, 256>>>(x, 1000);
	take(x, 1000);
}

__global__ void transposed(const int *in, int *out, int rows, int columns) {
	const int x = threadIdx.x, y = threadIdx.y;
	out[x * columns + y] = in[y * columns + x]; // <- rows for columns: memory: past the end; .
}

CASE("rows for columns") {
	int *in = numbers(8 * 32), *out = zeros(8 * 32);
	transposed<<<1, dim3(32, 8)>>>(in, out, 8, 32);
	take(out, 8 * 32), cudaFree(in);
}

__global__ void fill_pitched(int *x, size_t pitch) {
	x[threadIdx.y * pitch + threadIdx.x] = 1; // <- pitch in elements: memory: past the end|no allocation|no buffer; .
}

CASE("pitch in elements") {
	int *x;
	size_t pitch;
	cudaMallocPitch(&x, &pitch, 20 * sizeof(int), 16);
	fill_pitched<<<1, dim3(20, 16)>>>(x, pitch);
	cudaDeviceSynchronize();
	cudaFree(x);
}

__global__ void wide(unsigned char *image, int width) {
	const int row = blockIdx.x;
	const int at = row * width + threadIdx.x;
	image[at] = 1; // <- int that wraps: memory: row \* width \+ threadIdx\.x = 2 147 483 648 does not fit an int; size_t
}

CASE("int that wraps") {
	unsigned char *image;
	cudaMalloc(&image, size_t(2050) << 20);
	wide<<<2050, 32>>>(image, 1 << 20);
	cudaDeviceSynchronize();
	cudaFree(image);
}

__global__ void past_shared(const int *in, int *out) {
	__shared__ int line[128];
	line[threadIdx.x] = in[threadIdx.x];
	__syncthreads();
	out[threadIdx.x] = line[threadIdx.x + 1]; // <- past a shared array: memory: ; .
}

CASE("past a shared array") {
	int *in = numbers(128), *out = zeros(128);
	past_shared<<<1, 128>>>(in, out);
	take(out, 128), cudaFree(in);
}

extern __shared__ int dynamic[];
__global__ void with_dynamic(const int *in, int *out) {
	dynamic[threadIdx.x] = in[threadIdx.x]; // <- elements of dynamic shared memory: memory: the launch asked for 128 bytes; ask for enough
	__syncthreads();
	out[threadIdx.x] = dynamic[127 - threadIdx.x];
}

CASE("elements of dynamic shared memory") {
	int *in = numbers(128), *out = zeros(128);
	with_dynamic<<<1, 128, 128>>>(in, out);
	take(out, 128), cudaFree(in);
}

__global__ void left(const int *in, int *out) {
	const int i = threadIdx.x;
	out[i] = in[i] - in[i - 1]; // <- left of the first: memory: before the beginning; .
}

CASE("left of the first") {
	int *in = numbers(128), *out = zeros(128);
	left<<<1, 128>>>(in, out);
	take(out, 128), cudaFree(in);
}

__global__ void vectors(const int *in, int *out) {
	const int4 v = *(const int4 *)(in + 1 + 4 * threadIdx.x); // <- vector at an odd address: memory: not a multiple of 16; .
	out[threadIdx.x] = v.x + v.y + v.z + v.w;
}

CASE("vector at an odd address") {
	int *in = numbers(136), *out = zeros(32);
	vectors<<<1, 32>>>(in, out);
	take(out, 32), cudaFree(in);
}

__global__ void set(int *x, int value) {
	x[threadIdx.x] = value; // <- never allocated: memory: null; allocate the memory first
}

CASE("never allocated") {
	int *x = nullptr;
	set<<<1, 32>>>(x, 1);
	cudaDeviceSynchronize();
}

__global__ void reads_freed(const int *in, int *out) {
	out[threadIdx.x] = in[threadIdx.x]; // <- freed before its use: memory: freed; .
}

CASE("freed before its use") {
	int *in = numbers(32), *out = zeros(32);
	cudaFree(in);
	reads_freed<<<1, 32>>>(in, out);
	take(out, 32);
}

__global__ void reads_host(const int *in, int *out) {
	out[threadIdx.x] = in[threadIdx.x]; // <- vector of the host: memory: host memory; memory of the device
}

CASE("vector of the host") {
	int *in = (int *)malloc(32 * sizeof(int)), *out = zeros(32);
	memset(in, 0, 32 * sizeof(int));
	reads_host<<<1, 32>>>(in, out);
	take(out, 32), free(in);
}

struct Matrix {
	int rows, columns;
	int *cells;
};

__global__ void trace(const Matrix m, int *out) {
	out[threadIdx.x] = m.cells[threadIdx.x * m.columns + threadIdx.x]; // <- struct that points to the host: memory: host memory.*cells; memory of the device
}

CASE("struct that points to the host") {
	Matrix m = {8, 8, (int *)calloc(64, sizeof(int))};
	int *out = zeros(8);
	trace<<<1, 8>>>(m, out);
	take(out, 8), free(m.cells);
}

__global__ void rows_of(int **rows, int *out) {
	out[threadIdx.x] = rows[threadIdx.x][0]; // <- rows in an array of the host: memory: host memory; memory of the device
}

CASE("rows in an array of the host") {
	int *rows[4], *out = zeros(4);
	for (int *&row : rows) row = zeros(8);
	rows_of<<<1, 4>>>(rows, out);
	take(out, 4);
	for (int *row : rows) cudaFree(row);
}

__global__ void square(float *x) {
	x[threadIdx.x] *= x[threadIdx.x]; // <- count for bytes: memory: past the end; .
}

CASE("count for bytes") {
	float *x;
	cudaMalloc(&x, 100);
	cudaMemset(x, 0, 100);
	square<<<1, 100>>>(x);
	cudaDeviceSynchronize();
	cudaFree(x);
}

__device__ int depth(volatile int *in, int n) {
	int local[16];
	for (int i = 0; i < 16; i++) local[i] = in[i % 4] + n; // <~ too deep a recursion: memory: stack; cudaDeviceSetLimit|stack
	return n ? depth(in, n - 1) + local[in[n % 4] % 16] : 0;
}

__global__ void recursive(volatile int *in, int *out) {
	*out = depth(in, 1000000);
}

CASE("too deep a recursion") {
	int *in = zeros(4), *out = zeros(1);
	recursive<<<1, 1>>>(in, out);
	take(out), cudaFree(in);
}

__global__ void frees_twice(int *out) {
	int *x = (int *)malloc(16);
	*x = 1, *out = *x;
	free(x);
	free(x); // <- freed twice in a kernel: memory: free; .
}

CASE("freed twice in a kernel") {
	int *out = zeros(1);
	frees_twice<<<1, 1>>>(out);
	take(out);
}

__global__ void past_heap(int *out) {
	int *x = (int *)malloc(4 * sizeof(int));
	for (int i = 0; i <= 4; i++) x[i] = i; // <- past memory of malloc: memory: past the end; .
	*out = x[3];
	free(x);
}

CASE("past memory of malloc") {
	int *out = zeros(1);
	past_heap<<<1, 1>>>(out);
	take(out);
}
