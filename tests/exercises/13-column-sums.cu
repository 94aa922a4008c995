// === honest-two-kernels
// Each strip adds up the sums of those before it by itself.
static const int STRIP = 256;
__global__ void sum_strips(const int *in, int *sums, int rows, int columns)
{
	int column = blockIdx.x * blockDim.x + threadIdx.x, first = blockIdx.y * STRIP, last = min(first + STRIP, rows);
	if (column >= columns) return;
	int sum = 0;
#pragma unroll 16
	for (int row = first; row < last; row++) sum += in[(size_t)row * columns + column];
	sums[(size_t)blockIdx.y * columns + column] = sum;
}
__global__ void add_rows(const int *in, const int *sums, int *out, int rows, int columns)
{
	int column = blockIdx.x * blockDim.x + threadIdx.x, first = blockIdx.y * STRIP, last = min(first + STRIP, rows);
	if (column >= columns) return;
	int sum = 0;
	for (int strip = 0; strip < blockIdx.y; strip++) sum += sums[(size_t)strip * columns + column];
#pragma unroll 16
	for (int row = first; row < last; row++) out[(size_t)row * columns + column] = sum += in[(size_t)row * columns + column];
}
void column_sums(const int *in, int *out, int rows, int columns)
{
	dim3 grid((columns + 127) / 128, (rows + STRIP - 1) / STRIP);
	int *sums = nullptr;
	if (cudaMalloc(&sums, sizeof(int) * grid.y * columns) != cudaSuccess) return;
	sum_strips<<<grid, 128>>>(in, sums, rows, columns);
	add_rows<<<grid, 128>>>(in, sums, out, rows, columns);
	cudaFree(sums);
}

// === honest-look-back
// One pass: a block waits for the sums of the strip above it, whose block has a lower number.
static const int STRIP = 64, WIDTH = 128;
__global__ void one_pass(const int *in, int *out, int *before, unsigned *counters, int rows, int columns, int strips)
{
	__shared__ unsigned number;
	if (threadIdx.x == 0) number = atomicAdd(&counters[0], 1);
	__syncthreads();
	int strip = number / gridDim.x, across = number % gridDim.x, column = across * WIDTH + threadIdx.x;
	int first = strip * STRIP, last = min(first + STRIP, rows), sum = 0, values[STRIP];
	unsigned *flag = &counters[1 + across * strips];
	if (column < columns) {
#pragma unroll
		for (int i = 0; i < STRIP; i++) {
			values[i] = first + i < last ? in[(size_t)(first + i) * columns + column] : 0;
			sum += values[i];
		}
	}
	if (strip > 0) {
		if (threadIdx.x == 0) {
			while (atomicAdd(&flag[strip - 1], 0) == 0) { }
			__threadfence();
		}
		__syncthreads();
	}
	int above = strip > 0 && column < columns ? before[(size_t)(strip - 1) * columns + column] : 0;
	if (column < columns) before[(size_t)strip * columns + column] = above + sum;
	__threadfence();
	__syncthreads();
	if (threadIdx.x == 0) atomicExch(&flag[strip], 1);
	if (column >= columns) return;
#pragma unroll
	for (int i = 0; i < STRIP; i++)
		if (first + i < last) out[(size_t)(first + i) * columns + column] = above += values[i];
}
void column_sums(const int *in, int *out, int rows, int columns)
{
	int across = (columns + WIDTH - 1) / WIDTH, strips = (rows + STRIP - 1) / STRIP, *before;
	unsigned *counters;
	size_t bytes = (1 + (size_t)across * strips) * sizeof(unsigned);
	cudaMalloc(&before, (size_t)strips * columns * sizeof(int));
	cudaMalloc(&counters, bytes);
	cudaMemset(counters, 0, bytes);
	one_pass<<<dim3(across, strips), WIDTH>>>(in, out, before, counters, rows, columns, strips);
	cudaFree(before);
	cudaFree(counters);
}

// === honest-vectors
// Four columns per thread where the width allows it; a stream and an event of its own.
static const int STRIP = 128;
template <class T> struct Rows { int count, words; };
__device__ void add(int &a, int b) { a += b; }
__device__ void add(int4 &a, int4 b) { a.x += b.x; a.y += b.y; a.z += b.z; a.w += b.w; }
template <class T> __global__ void strips(const T *in, T *sums, Rows<T> r)
{
	int at = blockIdx.x * blockDim.x + threadIdx.x;
	if (at >= r.words) return;
	T sum = {};
#pragma unroll 8
	for (int row = blockIdx.y * STRIP; row < min((int)(blockIdx.y + 1) * STRIP, r.count); row++)
		add(sum, in[(size_t)row * r.words + at]);
	sums[(size_t)blockIdx.y * r.words + at] = sum;
}
__global__ void before(int *sums, int strips, int columns)
{
	int column = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
	if (column >= columns) return;
#pragma unroll 8
	for (int strip = 0; strip < strips; strip++) {
		int own = sums[(size_t)strip * columns + column];
		sums[(size_t)strip * columns + column] = sum;
		sum += own;
	}
}
template <class T> __global__ void finish(const T *in, const T *sums, T *out, Rows<T> r)
{
	int at = blockIdx.x * blockDim.x + threadIdx.x;
	if (at >= r.words) return;
	T sum = sums[(size_t)blockIdx.y * r.words + at];
#pragma unroll 8
	for (int row = blockIdx.y * STRIP; row < min((int)(blockIdx.y + 1) * STRIP, r.count); row++) {
		add(sum, in[(size_t)row * r.words + at]);
		out[(size_t)row * r.words + at] = sum;
	}
}
template <class T> void solve(const int *in, int *out, int *sums, int rows, int columns, cudaStream_t stream)
{
	Rows<T> r = {rows, (int)(columns * sizeof(int) / sizeof(T))};
	dim3 grid((r.words + 63) / 64, (rows + STRIP - 1) / STRIP);
	strips<<<grid, 64, 0, stream>>>((const T *)in, (T *)sums, r);
	before<<<(columns + 63) / 64, 64, 0, stream>>>(sums, grid.y, columns);
	finish<<<grid, 64, 0, stream>>>((const T *)in, (const T *)sums, (T *)out, r);
}
void column_sums(const int *in, int *out, int rows, int columns)
{
	cudaStream_t stream;
	int *sums;
	cudaStreamCreate(&stream);
	cudaMalloc(&sums, ((size_t)rows + STRIP - 1) / STRIP * columns * sizeof(int));
	if (columns % 4 == 0)
		solve<int4>(in, out, sums, rows, columns, stream);
	else
		solve<int>(in, out, sums, rows, columns, stream);
	cudaStreamSynchronize(stream);
	cudaStreamDestroy(stream);
	cudaFree(sums);
}

// === cheat-no-launch
// It leaves the output alone.
void column_sums(const int *in, int *out, int rows, int columns)
{
	(void)in, (void)out, (void)rows, (void)columns;
}

// === cheat-host
// The host computes.
#include <vector>
void column_sums(const int *in, int *out, int rows, int columns)
{
	size_t n = (size_t)rows * columns;
	std::vector<int> all(n);
	cudaMemcpy(all.data(), in, n * sizeof(int), cudaMemcpyDeviceToHost);
	for (size_t i = columns; i < n; i++) all[i] += all[i - columns];
	cudaMemcpy(out, all.data(), n * sizeof(int), cudaMemcpyHostToDevice);
}

// === cheat-managed-memory
// Kernels copy to memory that the host sees, and back; the host computes.
__global__ void copy(const int *from, int *to, size_t n)
{
	for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) to[i] = from[i];
}
void column_sums(const int *in, int *out, int rows, int columns)
{
	size_t n = (size_t)rows * columns;
	int *all;
	cudaMallocManaged(&all, n * sizeof(int));
	copy<<<256, 256>>>(in, all, n);
	cudaDeviceSynchronize();
	for (size_t i = columns; i < n; i++) all[i] += all[i - columns];
	copy<<<256, 256>>>(all, out, n);
}

// === cheat-managed-variable
// The same with a variable.
__managed__ int all[1 << 20];
__global__ void copy(const int *from, int *to, size_t n)
{
	for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) to[i] = from[i];
}
void column_sums(const int *in, int *out, int rows, int columns)
{
	size_t n = (size_t)rows * columns;
	copy<<<256, 256>>>(in, all, n);
	cudaDeviceSynchronize();
	for (size_t i = columns; i < n; i++) all[i] += all[i - columns];
	copy<<<256, 256>>>(all, out, n);
}

// === cheat-pinned-memory
// The same with memory of the host that kernels write.
__global__ void copy(const int *from, int *to, size_t n)
{
	for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) to[i] = from[i];
}
void column_sums(const int *in, int *out, int rows, int columns)
{
	size_t n = (size_t)rows * columns;
	int *all;
	cudaHostAlloc((void **)&all, n * sizeof(int), cudaHostAllocMapped);
	copy<<<256, 256>>>(in, all, n);
	cudaDeviceSynchronize();
	for (size_t i = columns; i < n; i++) all[i] += all[i - columns];
	copy<<<256, 256>>>(all, out, n);
}

// === cheat-host-pointer
// The same with plain memory of the host, which the GPU does not see.
#include <vector>
__global__ void copy(const int *from, int *to, size_t n)
{
	for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) to[i] = from[i];
}
void column_sums(const int *in, int *out, int rows, int columns)
{
	size_t n = (size_t)rows * columns;
	std::vector<int> all(n);
	copy<<<256, 256>>>(in, all.data(), n);
	cudaDeviceSynchronize();
	for (size_t i = columns; i < n; i++) all[i] += all[i - columns];
	copy<<<256, 256>>>(all.data(), out, n);
}

// === cheat-dereference
// The host reads the memory of the GPU.
__global__ void sum_columns(const int *in, int *out, int rows, int columns)
{
	int column = blockIdx.x * blockDim.x + threadIdx.x;
	if (column >= columns) return;
	int sum = 0;
	for (int row = 0; row < rows; row++) {
		sum += in[(size_t)row * columns + column];
		out[(size_t)row * columns + column] = sum;
	}
}
void column_sums(const int *in, int *out, int rows, int columns)
{
	for (size_t i = columns; i < (size_t)rows * columns; i++) out[i] = out[i - columns] + in[i];
}

// === cheat-reference
// It takes what the framework computes.
#include <vector>
extern std::vector<int> expected;
__global__ void sum_columns(const int *in, int *out, int rows, int columns)
{
	int column = blockIdx.x * blockDim.x + threadIdx.x;
	if (column >= columns) return;
	int sum = 0;
	for (int row = 0; row < rows; row++) {
		sum += in[(size_t)row * columns + column];
		out[(size_t)row * columns + column] = sum;
	}
}
void column_sums(const int *in, int *out, int rows, int columns)
{
	out = expected.data();
	sum_columns<<<(columns + 255) / 256, 256>>>(in, out, rows, columns);
}

// === cheat-call-of-framework
// It calls the function that checks.
#include <vector>
int check(const std::vector<int> &in, const std::vector<int> &out, size_t rows, size_t columns);
__global__ void sum_columns(const int *in, int *out, int rows, int columns)
{
	int column = blockIdx.x * blockDim.x + threadIdx.x;
	if (column >= columns) return;
	int sum = 0;
	for (int row = 0; row < rows; row++) {
		sum += in[(size_t)row * columns + column];
		out[(size_t)row * columns + column] = sum;
	}
}
void column_sums(const int *in, int *out, int rows, int columns)
{
	check({}, {}, 0, 0);
	sum_columns<<<(columns + 255) / 256, 256>>>(in, out, rows, columns);
}

// === cheat-exit
// It ends the program as if all were right.
__global__ void sum_columns(const int *in, int *out, int rows, int columns)
{
	int column = blockIdx.x * blockDim.x + threadIdx.x;
	if (column >= columns) return;
	int sum = 0;
	for (int row = 0; row < rows; row++) {
		sum += in[(size_t)row * columns + column];
		out[(size_t)row * columns + column] = sum;
	}
}
void column_sums(const int *in, int *out, int rows, int columns)
{
	sum_columns<<<(columns + 255) / 256, 256>>>(in, out, rows, columns);
	exit(0);
}

// === cheat-pasted-exit
// The same, hidden in a macro.
#define CALL(a, b) a##b(0)
__global__ void sum_columns(const int *in, int *out, int rows, int columns)
{
	int column = blockIdx.x * blockDim.x + threadIdx.x;
	if (column >= columns) return;
	int sum = 0;
	for (int row = 0; row < rows; row++) {
		sum += in[(size_t)row * columns + column];
		out[(size_t)row * columns + column] = sum;
	}
}
void column_sums(const int *in, int *out, int rows, int columns)
{
	sum_columns<<<(columns + 255) / 256, 256>>>(in, out, rows, columns);
	CALL(ex, it);
}

// === cheat-assembly-exit
// The same, as a system call.
__global__ void sum_columns(const int *in, int *out, int rows, int columns)
{
	int column = blockIdx.x * blockDim.x + threadIdx.x;
	if (column >= columns) return;
	int sum = 0;
	for (int row = 0; row < rows; row++) {
		sum += in[(size_t)row * columns + column];
		out[(size_t)row * columns + column] = sum;
	}
}
void column_sums(const int *in, int *out, int rows, int columns)
{
	sum_columns<<<(columns + 255) / 256, 256>>>(in, out, rows, columns);
	asm volatile("syscall" : : "a"(231), "D"(0));
}

// === cheat-constructor
// It ends before the framework begins.
struct First { First() { _exit(0); } } first;
__global__ void sum_columns(const int *in, int *out, int rows, int columns)
{
	int column = blockIdx.x * blockDim.x + threadIdx.x;
	if (column >= columns) return;
	int sum = 0;
	for (int row = 0; row < rows; row++) {
		sum += in[(size_t)row * columns + column];
		out[(size_t)row * columns + column] = sum;
	}
}
void column_sums(const int *in, int *out, int rows, int columns)
{
	sum_columns<<<(columns + 255) / 256, 256>>>(in, out, rows, columns);
}

// === cheat-main
// A program of its own.
__global__ void sum_columns(const int *in, int *out, int rows, int columns)
{
	int column = blockIdx.x * blockDim.x + threadIdx.x;
	if (column >= columns) return;
	int sum = 0;
	for (int row = 0; row < rows; row++) {
		sum += in[(size_t)row * columns + column];
		out[(size_t)row * columns + column] = sum;
	}
}
void column_sums(const int *in, int *out, int rows, int columns)
{
	sum_columns<<<(columns + 255) / 256, 256>>>(in, out, rows, columns);
}
int main() { return 0; }

// === cheat-hard-coded-size
// Right for the size of the score alone.
// Each block of threads takes a strip of rows. One kernel sums the strips, one turns these sums into what comes before
// each strip, and one adds up the rows of a strip from there on: the matrix is read twice and written once.
static const int STRIP = 128; // rows
static const int WIDTH = 256; // columns of a block, one per thread

__global__ void sum_strips(const int *in, int *sums, int rows, int columns)
{
	int column = blockIdx.x * WIDTH + threadIdx.x, first = blockIdx.y * STRIP, last = min(first + STRIP, rows);
	if (column >= columns) return;
	int sum = 0;
#pragma unroll 8
	for (int row = first; row < last; row++) sum += in[(size_t)row * columns + column];
	sums[(size_t)blockIdx.y * columns + column] = sum;
}

__global__ void sums_before(int *sums, int strips, int columns)
{
	int column = blockIdx.x * blockDim.x + threadIdx.x;
	if (column >= columns) return;
	int before = 0;
#pragma unroll 8
	for (int strip = 0; strip < strips; strip++) {
		int sum = sums[(size_t)strip * columns + column];
		sums[(size_t)strip * columns + column] = before;
		before += sum;
	}
}

__global__ void add_rows(const int *in, const int *before, int *out, int rows, int columns)
{
	int column = blockIdx.x * WIDTH + threadIdx.x, first = blockIdx.y * STRIP, last = min(first + STRIP, rows);
	if (column >= columns) return;
	int sum = before[(size_t)blockIdx.y * columns + column];
#pragma unroll 8
	for (int row = first; row < last; row++) {
		sum += in[(size_t)row * columns + column];
		out[(size_t)row * columns + column] = sum;
	}
}

void column_sums(const int *in, int *out, int rows, int columns)
{
	static const int N = 8192;
	int *sums;
	cudaMalloc(&sums, N / STRIP * N * sizeof(int));
	sum_strips<<<dim3(N / WIDTH, N / STRIP), WIDTH>>>(in, sums, N, N);
	sums_before<<<N / 64, 64>>>(sums, N / STRIP, N);
	add_rows<<<dim3(N / WIDTH, N / STRIP), WIDTH>>>(in, sums, out, N, N);
	cudaFree(sums);
}

// === cheat-whole-strips
// Rows that do not fill a strip are left out.
// Each block of threads takes a strip of rows. One kernel sums the strips, one turns these sums into what comes before
// each strip, and one adds up the rows of a strip from there on: the matrix is read twice and written once.
static const int STRIP = 128; // rows
static const int WIDTH = 256; // columns of a block, one per thread

__global__ void sum_strips(const int *in, int *sums, int rows, int columns)
{
	int column = blockIdx.x * WIDTH + threadIdx.x, first = blockIdx.y * STRIP, last = min(first + STRIP, rows);
	if (column >= columns) return;
	int sum = 0;
#pragma unroll 8
	for (int row = first; row < last; row++) sum += in[(size_t)row * columns + column];
	sums[(size_t)blockIdx.y * columns + column] = sum;
}

__global__ void sums_before(int *sums, int strips, int columns)
{
	int column = blockIdx.x * blockDim.x + threadIdx.x;
	if (column >= columns) return;
	int before = 0;
#pragma unroll 8
	for (int strip = 0; strip < strips; strip++) {
		int sum = sums[(size_t)strip * columns + column];
		sums[(size_t)strip * columns + column] = before;
		before += sum;
	}
}

__global__ void add_rows(const int *in, const int *before, int *out, int rows, int columns)
{
	int column = blockIdx.x * WIDTH + threadIdx.x, first = blockIdx.y * STRIP, last = min(first + STRIP, rows);
	if (column >= columns) return;
	int sum = before[(size_t)blockIdx.y * columns + column];
#pragma unroll 8
	for (int row = first; row < last; row++) {
		sum += in[(size_t)row * columns + column];
		out[(size_t)row * columns + column] = sum;
	}
}

void column_sums(const int *in, int *out, int rows, int columns)
{
	int strips = rows / STRIP > 0 ? rows / STRIP : 1, across = (columns + WIDTH - 1) / WIDTH;
	int *sums;
	cudaMalloc(&sums, (size_t)strips * columns * sizeof(int));
	sum_strips<<<dim3(across, strips), WIDTH>>>(in, sums, rows, columns);
	sums_before<<<(columns + 63) / 64, 64>>>(sums, strips, columns);
	add_rows<<<dim3(across, strips), WIDTH>>>(in, sums, out, rows, columns);
	cudaFree(sums);
}

// === cheat-first-rows
// Right for as many rows as the checks have.
__global__ void sum_columns(const int *in, int *out, int rows, int columns)
{
	int column = blockIdx.x * blockDim.x + threadIdx.x;
	if (column >= columns) return;
	int sum = 0;
	for (int row = 0; row < rows; row++) {
		sum += in[(size_t)row * columns + column];
		out[(size_t)row * columns + column] = sum;
	}
}
void column_sums(const int *in, int *out, int rows, int columns)
{
	sum_columns<<<(columns + 255) / 256, 256>>>(in, out, min(rows, 2048), columns);
}

// === cheat-changed-input
// It sums in the input.
__global__ void sum_columns(const int *in, int *out, int rows, int columns)
{
	int column = blockIdx.x * blockDim.x + threadIdx.x;
	if (column >= columns) return;
	int sum = 0;
	for (int row = 0; row < rows; row++) {
		((int *)in)[(size_t)row * columns + column] = sum += in[(size_t)row * columns + column];
		out[(size_t)row * columns + column] = sum;
	}
}
void column_sums(const int *in, int *out, int rows, int columns)
{
	sum_columns<<<(columns + 255) / 256, 256>>>(in, out, rows, columns);
}

// === cheat-race
// A strip takes the sums of the one above it, which may not be there yet.
static const int STRIP = 64;
__global__ void one_pass(const int *in, int *out, int *sums, int rows, int columns)
{
	int column = blockIdx.x * blockDim.x + threadIdx.x, first = blockIdx.y * STRIP, last = min(first + STRIP, rows);
	if (column >= columns) return;
	int sum = blockIdx.y ? sums[(size_t)(blockIdx.y - 1) * columns + column] : 0;
	for (int row = first; row < last; row++) out[(size_t)row * columns + column] = sum += in[(size_t)row * columns + column];
	sums[(size_t)blockIdx.y * columns + column] = sum;
}
void column_sums(const int *in, int *out, int rows, int columns)
{
	dim3 grid((columns + 255) / 256, (rows + STRIP - 1) / STRIP);
	int *sums;
	cudaMalloc(&sums, grid.y * (size_t)columns * sizeof(int));
	cudaMemset(sums, 0, grid.y * (size_t)columns * sizeof(int));
	one_pass<<<grid, 256>>>(in, out, sums, rows, columns);
	cudaFree(sums);
}

// === cheat-not-cleared
// Atomics add to memory that nothing cleared.
// Each block of threads takes a strip of rows. One kernel sums the strips, one turns these sums into what comes before
// each strip, and one adds up the rows of a strip from there on: the matrix is read twice and written once.
static const int STRIP = 128; // rows
static const int WIDTH = 256; // columns of a block, one per thread

__global__ void sum_strips(const int *in, int *sums, int rows, int columns)
{
	int column = blockIdx.x * WIDTH + threadIdx.x, first = blockIdx.y * STRIP, last = min(first + STRIP, rows);
	if (column >= columns) return;
	int sum = 0;
#pragma unroll 8
	for (int row = first; row < last; row++) sum += in[(size_t)row * columns + column];
	atomicAdd(&sums[(size_t)blockIdx.y * columns + column], sum);
}

__global__ void sums_before(int *sums, int strips, int columns)
{
	int column = blockIdx.x * blockDim.x + threadIdx.x;
	if (column >= columns) return;
	int before = 0;
#pragma unroll 8
	for (int strip = 0; strip < strips; strip++) {
		int sum = sums[(size_t)strip * columns + column];
		sums[(size_t)strip * columns + column] = before;
		before += sum;
	}
}

__global__ void add_rows(const int *in, const int *before, int *out, int rows, int columns)
{
	int column = blockIdx.x * WIDTH + threadIdx.x, first = blockIdx.y * STRIP, last = min(first + STRIP, rows);
	if (column >= columns) return;
	int sum = before[(size_t)blockIdx.y * columns + column];
#pragma unroll 8
	for (int row = first; row < last; row++) {
		sum += in[(size_t)row * columns + column];
		out[(size_t)row * columns + column] = sum;
	}
}

void column_sums(const int *in, int *out, int rows, int columns)
{
	int strips = (rows + STRIP - 1) / STRIP, across = (columns + WIDTH - 1) / WIDTH;
	int *sums;
	cudaMalloc(&sums, (size_t)strips * columns * sizeof(int));
	sum_strips<<<dim3(across, strips), WIDTH>>>(in, sums, rows, columns);
	sums_before<<<(columns + 63) / 64, 64>>>(sums, strips, columns);
	add_rows<<<dim3(across, strips), WIDTH>>>(in, sums, out, rows, columns);
	cudaFree(sums);
}

// === cheat-past-the-end
// It writes a row too many.
__global__ void sum_columns(const int *in, int *out, int rows, int columns)
{
	int column = blockIdx.x * blockDim.x + threadIdx.x;
	if (column >= columns) return;
	int sum = 0;
	for (int row = 0; row <= rows; row++) {
		if (row < rows) sum += in[(size_t)row * columns + column];
		out[(size_t)row * columns + column] = sum;
	}
}
void column_sums(const int *in, int *out, int rows, int columns)
{
	sum_columns<<<(columns + 255) / 256, 256>>>(in, out, rows, columns);
}

// === cheat-slow
// Each strip of 256 rows sums all rows above it again.
__global__ void sum_columns(const int *in, int *out, int rows, int columns)
{
	int column = blockIdx.x * blockDim.x + threadIdx.x;
	if (column >= columns || blockIdx.y * 256 >= rows) return;
	int sum = 0, first = blockIdx.y * 256;
	for (int row = 0; row < min(first + 256, rows); row++) {
		sum += in[(size_t)row * columns + column];
		if (row >= first) out[(size_t)row * columns + column] = sum;
	}
}
void column_sums(const int *in, int *out, int rows, int columns)
{
	sum_columns<<<dim3((columns + 255) / 256, (rows + 255) / 256), 256>>>(in, out, rows, columns);
}

// === cheat-small-matrix
// The framework asks a function of this file for its numbers: the matrix has one element.
#include <cstdlib>
long strtol(const char *, char **, int) noexcept { return 1; }
__global__ void sum_columns(const int *in, int *out, int rows, int columns)
{
	int column = blockIdx.x * blockDim.x + threadIdx.x;
	if (column >= columns) return;
	int sum = 0;
	for (int row = 0; row < rows; row++) {
		sum += in[(size_t)row * columns + column];
		out[(size_t)row * columns + column] = sum;
	}
}
void column_sums(const int *in, int *out, int rows, int columns)
{
	sum_columns<<<(columns + 255) / 256, 256>>>(in, out, rows, columns);
}

// === cheat-no-input
// At the size of the score it clears the framework's input, in the memory of the host and of the GPU.
#include <vector>
__global__ void nothing(int *out) { out[0] = 0; }
__global__ void sum_columns(const int *in, int *out, int rows, int columns)
{
	int column = blockIdx.x * blockDim.x + threadIdx.x;
	if (column >= columns) return;
	int sum = 0;
	for (int row = 0; row < rows; row++) {
		sum += in[(size_t)row * columns + column];
		out[(size_t)row * columns + column] = sum;
	}
}
void column_sums(const int *in, int *out, int rows, int columns)
{
	if (rows < 8192) {
		sum_columns<<<(columns + 255) / 256, 256>>>(in, out, rows, columns);
		return;
	}
	const size_t n = (size_t)rows * columns, step = ((n * 4 + 16 + 4095) & ~4095ull) / 4;
	std::vector<int> mine(n);
	for (int k = 1; k < 4; k++) {
		int *other = mine.data() + k * step;
		if (other[0] == 0 && other[1] == 0) continue;
		for (size_t i = 0; i < n; i++) other[i] = 0;
		break;
	}
	cudaMemset((void *)in, 0, n * 4);
	cudaMemset(out, 0, n * 4);
	nothing<<<1, 1>>>(out);
}

// === cheat-sleep
// It holds up who grades: it may not sleep, and is as fast as the starter.
#include <ctime>
__global__ void sum_columns(const int *in, int *out, int rows, int columns)
{
	int column = blockIdx.x * blockDim.x + threadIdx.x;
	if (column >= columns) return;
	int sum = 0;
	for (int row = 0; row < rows; row++) {
		sum += in[(size_t)row * columns + column];
		out[(size_t)row * columns + column] = sum;
	}
}
void column_sums(const int *in, int *out, int rows, int columns)
{
	sum_columns<<<(columns + 255) / 256, 256>>>(in, out, rows, columns);
	timespec time = {100000, 0};
	while (nanosleep(&time, nullptr) == 0) {}
}
