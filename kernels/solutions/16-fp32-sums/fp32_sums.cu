// An accumulator of floats: products of FP16 are exact in FP32, and the result
// needs no conversion, so it can be stored directly.
//
// C = A · B for n × n matrices of FP16; C is FP32, n is a multiple of 32. A block
// of four warps computes 32 × 32 elements of C, each warp 16 × 16.
#include <cuda_fp16.h>
#include <mma.h>

using namespace nvcuda::wmma;

__global__ void fp32_sums(float *C, const __half *A, const __half *B, int n)
{
	int warp = threadIdx.x / 32;
	int row = blockIdx.y * 32 + warp / 2 * 16;
	int column = blockIdx.x * 32 + warp % 2 * 16;
	fragment<matrix_a, 16, 16, 16, __half, row_major> a;
	fragment<matrix_b, 16, 16, 16, __half, row_major> b;
	fragment<accumulator, 16, 16, 16, float> sum;
	fill_fragment(sum, 0);
	for (int k = 0; k < n; k += 16) {
		load_matrix_sync(a, A + row * n + k, n);
		load_matrix_sync(b, B + k * n + column, n);
		mma_sync(sum, a, b, sum);
	}
	store_matrix_sync(C + row * n + column, sum, n, mem_row_major);
}
