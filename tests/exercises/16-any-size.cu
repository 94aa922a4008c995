// === honest-clamped
// Addresses are clamped, and what is beyond becomes zero.
#include <cuda_bf16.h>
#include <mma.h>

using namespace nvcuda::wmma;

typedef __nv_bfloat16 Number;

constexpr int TILE = 32;

// The element, or zero beyond the matrix.
__device__ Number element(const Number *from, int row, int column, int n)
{
	Number x = from[min(row, n - 1) * n + min(column, n - 1)];
	return row < n && column < n ? x : Number(0.0f);
}

__global__ void any_size(float *C, const Number *A, const Number *B, int n)
{
	__shared__ __align__(128) Number a[TILE][TILE], b[TILE][TILE];
	__shared__ __align__(128) float c[TILE][TILE];
	int t = threadIdx.x, warp = t / 32, y = warp / 2 * 16, x = warp % 2 * 16;
	int row = blockIdx.y * TILE, column = blockIdx.x * TILE;
	fragment<matrix_a, 16, 16, 16, Number, row_major> fa;
	fragment<matrix_b, 16, 16, 16, Number, row_major> fb;
	fragment<accumulator, 16, 16, 16, float> sum;
	fill_fragment(sum, 0);
	for (int k = 0; k < n; k += TILE) {
		for (int i = warp; i < TILE; i += 4) {
			int j = t % 32;
			a[i][j] = element(A, row + i, k + j, n);
			b[i][j] = element(B, k + i, column + j, n);
		}
		__syncthreads();
		for (int part = 0; part < TILE; part += 16) {
			load_matrix_sync(fa, &a[y][part], TILE);
			load_matrix_sync(fb, &b[part][x], TILE);
			mma_sync(sum, fa, fb, sum);
		}
		__syncthreads();
	}
	store_matrix_sync(&c[y][x], sum, TILE, mem_row_major);
	__syncthreads();
	for (int i = warp; i < TILE && row + i < n && column + t % 32 < n; i += 4)
		C[(row + i) * n + column + t % 32] = c[i][t % 32];
}

// === honest-branches
// Zeros first, then the elements that exist.
#include <cuda_bf16.h>
#include <mma.h>

using namespace nvcuda::wmma;

typedef __nv_bfloat16 Number;

constexpr int TILE = 32;

// The element, or zero beyond the matrix.
__device__ Number element(const Number *from, int row, int column, int n)
{
	return row < n && column < n ? from[row * n + column] : Number(0.0f);
}

__global__ void any_size(float *C, const Number *A, const Number *B, int n)
{
	__shared__ __align__(128) Number a[TILE][TILE], b[TILE][TILE];
	__shared__ __align__(128) float c[TILE][TILE];
	int t = threadIdx.x, warp = t / 32, y = warp / 2 * 16, x = warp % 2 * 16;
	int row = blockIdx.y * TILE, column = blockIdx.x * TILE;
	fragment<matrix_a, 16, 16, 16, Number, row_major> fa;
	fragment<matrix_b, 16, 16, 16, Number, row_major> fb;
	fragment<accumulator, 16, 16, 16, float> sum;
	fill_fragment(sum, 0);
	for (int k = 0; k < n; k += TILE) {
		for (int i = warp; i < TILE; i += 4) {
			int j = t % 32;
			bool in_a = row + i < n && k + j < n, in_b = k + i < n && column + j < n;
			a[i][j] = b[i][j] = 0.0f;
			if (in_a)
				a[i][j] = A[(row + i) * n + k + j];
			if (in_b)
				b[i][j] = B[(k + i) * n + column + j];
		}
		__syncthreads();
		for (int part = 0; part < TILE; part += 16) {
			load_matrix_sync(fa, &a[y][part], TILE);
			load_matrix_sync(fb, &b[part][x], TILE);
			mma_sync(sum, fa, fb, sum);
		}
		__syncthreads();
	}
	store_matrix_sync(&c[y][x], sum, TILE, mem_row_major);
	__syncthreads();
	for (int i = warp; i < TILE && row + i < n && column + t % 32 < n; i += 4)
		C[(row + i) * n + column + t % 32] = c[i][t % 32];
}

// === honest-whole-tiles
// Whole tiles are loaded without conditions.
#include <cuda_bf16.h>
#include <mma.h>

using namespace nvcuda::wmma;

typedef __nv_bfloat16 Number;

constexpr int TILE = 32;

// The element, or zero beyond the matrix.
__device__ Number element(const Number *from, int row, int column, int n)
{
	return row < n && column < n ? from[row * n + column] : Number(0.0f);
}

__global__ void any_size(float *C, const Number *A, const Number *B, int n)
{
	__shared__ __align__(128) Number a[TILE][TILE], b[TILE][TILE];
	__shared__ __align__(128) float c[TILE][TILE];
	int t = threadIdx.x, warp = t / 32, y = warp / 2 * 16, x = warp % 2 * 16;
	int row = blockIdx.y * TILE, column = blockIdx.x * TILE;
	fragment<matrix_a, 16, 16, 16, Number, row_major> fa;
	fragment<matrix_b, 16, 16, 16, Number, row_major> fb;
	fragment<accumulator, 16, 16, 16, float> sum;
	fill_fragment(sum, 0);
	for (int k = 0; k < n; k += TILE) {
		bool whole = max(row, max(column, k)) + TILE <= n;
		for (int i = warp; i < TILE; i += 4) {
			int j = t % 32;
			a[i][j] = whole ? A[(row + i) * n + k + j] : element(A, row + i, k + j, n);
			b[i][j] = whole ? B[(k + i) * n + column + j] : element(B, k + i, column + j, n);
		}
		__syncthreads();
		for (int part = 0; part < TILE; part += 16) {
			load_matrix_sync(fa, &a[y][part], TILE);
			load_matrix_sync(fb, &b[part][x], TILE);
			mma_sync(sum, fa, fb, sum);
		}
		__syncthreads();
	}
	store_matrix_sync(&c[y][x], sum, TILE, mem_row_major);
	__syncthreads();
	for (int i = warp; i < TILE && row + i < n && column + t % 32 < n; i += 4)
		C[(row + i) * n + column + t % 32] = c[i][t % 32];
}

// === cheat-ones
// Ones beyond the matrix.
#include <cuda_bf16.h>
#include <mma.h>

using namespace nvcuda::wmma;

typedef __nv_bfloat16 Number;

constexpr int TILE = 32;

// The element, or zero beyond the matrix.
__device__ Number element(const Number *from, int row, int column, int n)
{
	return row < n && column < n ? from[row * n + column] : Number(1.0f);
}

__global__ void any_size(float *C, const Number *A, const Number *B, int n)
{
	__shared__ __align__(128) Number a[TILE][TILE], b[TILE][TILE];
	__shared__ __align__(128) float c[TILE][TILE];
	int t = threadIdx.x, warp = t / 32, y = warp / 2 * 16, x = warp % 2 * 16;
	int row = blockIdx.y * TILE, column = blockIdx.x * TILE;
	fragment<matrix_a, 16, 16, 16, Number, row_major> fa;
	fragment<matrix_b, 16, 16, 16, Number, row_major> fb;
	fragment<accumulator, 16, 16, 16, float> sum;
	fill_fragment(sum, 0);
	for (int k = 0; k < n; k += TILE) {
		for (int i = warp; i < TILE; i += 4) {
			int j = t % 32;
			a[i][j] = element(A, row + i, k + j, n);
			b[i][j] = element(B, k + i, column + j, n);
		}
		__syncthreads();
		for (int part = 0; part < TILE; part += 16) {
			load_matrix_sync(fa, &a[y][part], TILE);
			load_matrix_sync(fb, &b[part][x], TILE);
			mma_sync(sum, fa, fb, sum);
		}
		__syncthreads();
	}
	store_matrix_sync(&c[y][x], sum, TILE, mem_row_major);
	__syncthreads();
	for (int i = warp; i < TILE && row + i < n && column + t % 32 < n; i += 4)
		C[(row + i) * n + column + t % 32] = c[i][t % 32];
}

// === cheat-columns-only
// Only columns are checked.
#include <cuda_bf16.h>
#include <mma.h>

using namespace nvcuda::wmma;

typedef __nv_bfloat16 Number;

constexpr int TILE = 32;

// The element, or zero beyond the matrix.
__device__ Number element(const Number *from, int row, int column, int n)
{
	return column < n ? from[row * n + column] : Number(0.0f);
}

__global__ void any_size(float *C, const Number *A, const Number *B, int n)
{
	__shared__ __align__(128) Number a[TILE][TILE], b[TILE][TILE];
	__shared__ __align__(128) float c[TILE][TILE];
	int t = threadIdx.x, warp = t / 32, y = warp / 2 * 16, x = warp % 2 * 16;
	int row = blockIdx.y * TILE, column = blockIdx.x * TILE;
	fragment<matrix_a, 16, 16, 16, Number, row_major> fa;
	fragment<matrix_b, 16, 16, 16, Number, row_major> fb;
	fragment<accumulator, 16, 16, 16, float> sum;
	fill_fragment(sum, 0);
	for (int k = 0; k < n; k += TILE) {
		for (int i = warp; i < TILE; i += 4) {
			int j = t % 32;
			a[i][j] = element(A, row + i, k + j, n);
			b[i][j] = element(B, k + i, column + j, n);
		}
		__syncthreads();
		for (int part = 0; part < TILE; part += 16) {
			load_matrix_sync(fa, &a[y][part], TILE);
			load_matrix_sync(fb, &b[part][x], TILE);
			mma_sync(sum, fa, fb, sum);
		}
		__syncthreads();
	}
	store_matrix_sync(&c[y][x], sum, TILE, mem_row_major);
	__syncthreads();
	for (int i = warp; i < TILE && row + i < n && column + t % 32 < n; i += 4)
		C[(row + i) * n + column + t % 32] = c[i][t % 32];
}

// === cheat-row-end
// Stores beyond the end of a row.
#include <cuda_bf16.h>
#include <mma.h>

using namespace nvcuda::wmma;

typedef __nv_bfloat16 Number;

constexpr int TILE = 32;

// The element, or zero beyond the matrix.
__device__ Number element(const Number *from, int row, int column, int n)
{
	return row < n && column < n ? from[row * n + column] : Number(0.0f);
}

__global__ void any_size(float *C, const Number *A, const Number *B, int n)
{
	__shared__ __align__(128) Number a[TILE][TILE], b[TILE][TILE];
	__shared__ __align__(128) float c[TILE][TILE];
	int t = threadIdx.x, warp = t / 32, y = warp / 2 * 16, x = warp % 2 * 16;
	int row = blockIdx.y * TILE, column = blockIdx.x * TILE;
	fragment<matrix_a, 16, 16, 16, Number, row_major> fa;
	fragment<matrix_b, 16, 16, 16, Number, row_major> fb;
	fragment<accumulator, 16, 16, 16, float> sum;
	fill_fragment(sum, 0);
	for (int k = 0; k < n; k += TILE) {
		for (int i = warp; i < TILE; i += 4) {
			int j = t % 32;
			a[i][j] = element(A, row + i, k + j, n);
			b[i][j] = element(B, k + i, column + j, n);
		}
		__syncthreads();
		for (int part = 0; part < TILE; part += 16) {
			load_matrix_sync(fa, &a[y][part], TILE);
			load_matrix_sync(fb, &b[part][x], TILE);
			mma_sync(sum, fa, fb, sum);
		}
		__syncthreads();
	}
	store_matrix_sync(&c[y][x], sum, TILE, mem_row_major);
	__syncthreads();
	for (int i = warp; i < TILE && row + i < n; i += 4)
		C[(row + i) * n + column + t % 32] = c[i][t % 32];
}

// === cheat-fma
// No tensor cores.
#include <cuda_bf16.h>
__global__ void any_size(float *C, const __nv_bfloat16 *A, const __nv_bfloat16 *B, int n)
{
	int t = threadIdx.x, column = blockIdx.x * 32 + t % 32;
	for (int i = t / 32; i < 32; i += 4) {
		int row = blockIdx.y * 32 + i;
		if (row >= n || column >= n) continue;
		float s = 0;
		for (int k = 0; k < n; k++) s += __bfloat162float(A[row * n + k]) * __bfloat162float(B[k * n + column]);
		C[row * n + column] = s;
	}
}

// === cheat-fma-at-edges
// Tensor cores for multiples of 32 only, else FMAs.
#include <cuda_bf16.h>
#include <mma.h>

using namespace nvcuda::wmma;

typedef __nv_bfloat16 Number;

constexpr int TILE = 32;

// The element, or zero beyond the matrix.
__device__ Number element(const Number *from, int row, int column, int n)
{
	return row < n && column < n ? from[row * n + column] : Number(0.0f);
}

__global__ void any_size(float *C, const Number *A, const Number *B, int n)
{
	__shared__ __align__(128) Number a[TILE][TILE], b[TILE][TILE];
	__shared__ __align__(128) float c[TILE][TILE];
	int t = threadIdx.x, warp = t / 32, y = warp / 2 * 16, x = warp % 2 * 16;
	int row = blockIdx.y * TILE, column = blockIdx.x * TILE;
	fragment<matrix_a, 16, 16, 16, Number, row_major> fa;
	fragment<matrix_b, 16, 16, 16, Number, row_major> fb;
	fragment<accumulator, 16, 16, 16, float> sum;
	fill_fragment(sum, 0);
	for (int k = 0; k < n; k += TILE) {
		for (int i = warp; i < TILE; i += 4) {
			int j = t % 32;
			a[i][j] = element(A, row + i, k + j, n);
			b[i][j] = element(B, k + i, column + j, n);
		}
		__syncthreads();
		for (int part = 0; part < TILE; part += 16) {
			load_matrix_sync(fa, &a[y][part], TILE);
			load_matrix_sync(fb, &b[part][x], TILE);
			mma_sync(sum, fa, fb, sum);
		}
		__syncthreads();
	}
	store_matrix_sync(&c[y][x], sum, TILE, mem_row_major);
	__syncthreads();
	bool whole = row + TILE <= n && column + TILE <= n && n % TILE == 0;
	for (int i = warp; i < TILE && row + i < n && column + t % 32 < n; i += 4) {
		float s = c[i][t % 32];
		if (!whole) {
			s = 0;
			for (int k = 0; k < n; k++)
				s += __bfloat162float(A[(row + i) * n + k]) * __bfloat162float(B[k * n + column + t % 32]);
		}
		C[(row + i) * n + column + t % 32] = s;
	}
}

// === cheat-whole-steps
// The last steps of k are left out.
#include <cuda_bf16.h>
#include <mma.h>

using namespace nvcuda::wmma;

typedef __nv_bfloat16 Number;

constexpr int TILE = 32;

// The element, or zero beyond the matrix.
__device__ Number element(const Number *from, int row, int column, int n)
{
	return row < n && column < n ? from[row * n + column] : Number(0.0f);
}

__global__ void any_size(float *C, const Number *A, const Number *B, int n)
{
	__shared__ __align__(128) Number a[TILE][TILE], b[TILE][TILE];
	__shared__ __align__(128) float c[TILE][TILE];
	int t = threadIdx.x, warp = t / 32, y = warp / 2 * 16, x = warp % 2 * 16;
	int row = blockIdx.y * TILE, column = blockIdx.x * TILE;
	fragment<matrix_a, 16, 16, 16, Number, row_major> fa;
	fragment<matrix_b, 16, 16, 16, Number, row_major> fb;
	fragment<accumulator, 16, 16, 16, float> sum;
	fill_fragment(sum, 0);
	for (int k = 0; k + TILE <= n; k += TILE) {
		for (int i = warp; i < TILE; i += 4) {
			int j = t % 32;
			a[i][j] = element(A, row + i, k + j, n);
			b[i][j] = element(B, k + i, column + j, n);
		}
		__syncthreads();
		for (int part = 0; part < TILE; part += 16) {
			load_matrix_sync(fa, &a[y][part], TILE);
			load_matrix_sync(fb, &b[part][x], TILE);
			mma_sync(sum, fa, fb, sum);
		}
		__syncthreads();
	}
	store_matrix_sync(&c[y][x], sum, TILE, mem_row_major);
	__syncthreads();
	for (int i = warp; i < TILE && row + i < n && column + t % 32 < n; i += 4)
		C[(row + i) * n + column + t % 32] = c[i][t % 32];
}

// === cheat-one-barrier
// Tiles are overwritten while other warps read them.
#include <cuda_bf16.h>
#include <mma.h>

using namespace nvcuda::wmma;

typedef __nv_bfloat16 Number;

constexpr int TILE = 32;

// The element, or zero beyond the matrix.
__device__ Number element(const Number *from, int row, int column, int n)
{
	return row < n && column < n ? from[row * n + column] : Number(0.0f);
}

__global__ void any_size(float *C, const Number *A, const Number *B, int n)
{
	__shared__ __align__(128) Number a[TILE][TILE], b[TILE][TILE];
	__shared__ __align__(128) float c[TILE][TILE];
	int t = threadIdx.x, warp = t / 32, y = warp / 2 * 16, x = warp % 2 * 16;
	int row = blockIdx.y * TILE, column = blockIdx.x * TILE;
	fragment<matrix_a, 16, 16, 16, Number, row_major> fa;
	fragment<matrix_b, 16, 16, 16, Number, row_major> fb;
	fragment<accumulator, 16, 16, 16, float> sum;
	fill_fragment(sum, 0);
	for (int k = 0; k < n; k += TILE) {
		for (int i = warp; i < TILE; i += 4) {
			int j = t % 32;
			a[i][j] = element(A, row + i, k + j, n);
			b[i][j] = element(B, k + i, column + j, n);
		}
		__syncthreads();
		for (int part = 0; part < TILE; part += 16) {
			load_matrix_sync(fa, &a[y][part], TILE);
			load_matrix_sync(fb, &b[part][x], TILE);
			mma_sync(sum, fa, fb, sum);
		}
	}
	store_matrix_sync(&c[y][x], sum, TILE, mem_row_major);
	__syncthreads();
	for (int i = warp; i < TILE && row + i < n && column + t % 32 < n; i += 4)
		C[(row + i) * n + column + t % 32] = c[i][t % 32];
}

// === cheat-one-warp
// One warp loads for all.
#include <cuda_bf16.h>
#include <mma.h>

using namespace nvcuda::wmma;

typedef __nv_bfloat16 Number;

constexpr int TILE = 32;

// The element, or zero beyond the matrix.
__device__ Number element(const Number *from, int row, int column, int n)
{
	return row < n && column < n ? from[row * n + column] : Number(0.0f);
}

__global__ void any_size(float *C, const Number *A, const Number *B, int n)
{
	__shared__ __align__(128) Number a[TILE][TILE], b[TILE][TILE];
	__shared__ __align__(128) float c[TILE][TILE];
	int t = threadIdx.x, warp = t / 32, y = warp / 2 * 16, x = warp % 2 * 16;
	int row = blockIdx.y * TILE, column = blockIdx.x * TILE;
	fragment<matrix_a, 16, 16, 16, Number, row_major> fa;
	fragment<matrix_b, 16, 16, 16, Number, row_major> fb;
	fragment<accumulator, 16, 16, 16, float> sum;
	fill_fragment(sum, 0);
	for (int k = 0; k < n; k += TILE) {
		for (int i = 0; i < TILE && warp == 0; i++) {
			int j = t % 32;
			a[i][j] = element(A, row + i, k + j, n);
			b[i][j] = element(B, k + i, column + j, n);
		}
		__syncthreads();
		for (int part = 0; part < TILE; part += 16) {
			load_matrix_sync(fa, &a[y][part], TILE);
			load_matrix_sync(fb, &b[part][x], TILE);
			mma_sync(sum, fa, fb, sum);
		}
		__syncthreads();
	}
	store_matrix_sync(&c[y][x], sum, TILE, mem_row_major);
	__syncthreads();
	for (int i = warp; i < TILE && row + i < n && column + t % 32 < n; i += 4)
		C[(row + i) * n + column + t % 32] = c[i][t % 32];
}

// === cheat-stale
// What is beyond the matrix keeps its old contents.
#include <cuda_bf16.h>
#include <mma.h>

using namespace nvcuda::wmma;

typedef __nv_bfloat16 Number;

constexpr int TILE = 32;

// The element, or zero beyond the matrix.
__device__ Number element(const Number *from, int row, int column, int n)
{
	return row < n && column < n ? from[row * n + column] : Number(0.0f);
}

__global__ void any_size(float *C, const Number *A, const Number *B, int n)
{
	__shared__ __align__(128) Number a[TILE][TILE], b[TILE][TILE];
	__shared__ __align__(128) float c[TILE][TILE];
	int t = threadIdx.x, warp = t / 32, y = warp / 2 * 16, x = warp % 2 * 16;
	int row = blockIdx.y * TILE, column = blockIdx.x * TILE;
	fragment<matrix_a, 16, 16, 16, Number, row_major> fa;
	fragment<matrix_b, 16, 16, 16, Number, row_major> fb;
	fragment<accumulator, 16, 16, 16, float> sum;
	fill_fragment(sum, 0);
	for (int k = 0; k < n; k += TILE) {
		for (int i = warp; i < TILE; i += 4) {
			int j = t % 32;
			if (row + i < n && k + j < n)
				a[i][j] = A[(row + i) * n + k + j];
			b[i][j] = element(B, k + i, column + j, n);
		}
		__syncthreads();
		for (int part = 0; part < TILE; part += 16) {
			load_matrix_sync(fa, &a[y][part], TILE);
			load_matrix_sync(fb, &b[part][x], TILE);
			mma_sync(sum, fa, fb, sum);
		}
		__syncthreads();
	}
	store_matrix_sync(&c[y][x], sum, TILE, mem_row_major);
	__syncthreads();
	for (int i = warp; i < TILE && row + i < n && column + t % 32 < n; i += 4)
		C[(row + i) * n + column + t % 32] = c[i][t % 32];
}

// === cheat-b-clamped
// The tile of B repeats the last row and column.
// - b[i][j] = element(B, k + i, column + j, n);
// + b[i][j] = B[min(k + i, n - 1) * n + min(column + j, n - 1)];

// === cheat-zeros-in-a-only
// The tile of B keeps what the step before left.
// - b[i][j] = element(B, k + i, column + j, n);
// + if (k == 0 || (k + i < n && column + j < n)) b[i][j] = element(B, k + i, column + j, n);

// === cheat-one-warp-multiplies
// The first warp multiplies for all.
// - fragment<accumulator, 16, 16, 16, float> sum;
// + fragment<accumulator, 16, 16, 16, float> sum[4];
// - 	fill_fragment(sum, 0);
// + 	for (int w = 0; w < 4; w++) fill_fragment(sum[w], 0);
// - 		for (int part = 0;
// + 		for (int w = 0; warp == 0 && w < 4; w++) for (int part = 0;
// - &a[y][part]
// + &a[w / 2 * 16][part]
// - &b[part][x]
// + &b[part][w % 2 * 16]
// - mma_sync(sum, fa, fb, sum)
// + mma_sync(sum[w], fa, fb, sum[w])
// - 	store_matrix_sync(&c[y][x], sum,
// + 	for (int w = 0; warp == 0 && w < 4; w++) store_matrix_sync(&c[w / 2 * 16][w % 2 * 16], sum[w],
