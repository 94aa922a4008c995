// Task: the kernel reads and writes whole tiles of 32 × 32. Make it work for any
// n: fill tiles with zeros where they go beyond the matrix, and store only the
// elements that exist.
//
// C = A · B for n × n matrices of BF16, with sums in FP32. A block of four warps
// computes 32 × 32 elements of C, each warp 16 × 16.
#include <cuda_bf16.h>
#include <mma.h>

using namespace nvcuda::wmma;

typedef __nv_bfloat16 Number;

constexpr int TILE = 32;

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
			a[i][j] = A[(row + i) * n + k + j];
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
	for (int i = warp; i < TILE; i += 4)
		C[(row + i) * n + column + t % 32] = c[i][t % 32];
}
