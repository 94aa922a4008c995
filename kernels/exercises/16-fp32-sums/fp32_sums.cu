// Task: the sums are FP16, too. They are rounded after every step of k, and the
// error grows with n. Let the tensor cores sum in FP32.
//
// C = A · B for n × n matrices of FP16; C is FP32, n is a multiple of 32. A block
// of four warps computes 32 × 32 elements of C, each warp 16 × 16.
#include <cuda_fp16.h>
#include <mma.h>

using namespace nvcuda::wmma;

__global__ void fp32_sums(float *C, const __half *A, const __half *B, int n)
{
	__shared__ alignas(32) __half out[4][16][16];
	int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
	int row = blockIdx.y * 32 + warp / 2 * 16;
	int column = blockIdx.x * 32 + warp % 2 * 16;
	fragment<matrix_a, 16, 16, 16, __half, row_major> a;
	fragment<matrix_b, 16, 16, 16, __half, row_major> b;
	fragment<accumulator, 16, 16, 16, __half> sum;
	fill_fragment(sum, __float2half(0));
	for (int k = 0; k < n; k += 16) {
		load_matrix_sync(a, A + row * n + k, n);
		load_matrix_sync(b, B + k * n + column, n);
		mma_sync(sum, a, b, sum);
	}
	store_matrix_sync(&out[warp][0][0], sum, 16, mem_row_major);
	__syncwarp();
	for (int i = lane; i < 256; i += 32)
		C[(row + i / 16) * n + column + i % 16] =
			__half2float(out[warp][i / 16][i % 16]);
}
