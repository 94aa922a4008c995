// === honest-through-shared
// The sums go through shared memory, as in the starter.
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
	__shared__ alignas(32) float out[4][16][16];
	store_matrix_sync(&out[warp][0][0], sum, 16, mem_row_major);
	__syncwarp();
	for (int i = threadIdx.x % 32; i < 256; i += 32)
		C[(row + i / 16) * n + column + i % 16] = out[warp][i / 16][i % 16];
}

// === honest-wide-fragments
// Fragments of 8 rows and 32 columns.
#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda::wmma;
__global__ void fp32_sums(float *C, const __half *A, const __half *B, int n)
{
	int warp = threadIdx.x / 32; // 8 rows and 32 columns
	int row = blockIdx.y * 32 + warp * 8, column = blockIdx.x * 32;
	fragment<matrix_a, 8, 32, 16, __half, row_major> a;
	fragment<matrix_b, 8, 32, 16, __half, row_major> b;
	fragment<accumulator, 8, 32, 16, float> sum;
	fill_fragment(sum, 0);
	for (int k = 0; k < n; k += 16) {
		load_matrix_sync(a, A + row * n + k, n);
		load_matrix_sync(b, B + k * n + column, n);
		mma_sync(sum, a, b, sum);
	}
	store_matrix_sync(C + row * n + column, sum, n, mem_row_major);
}

// === honest-two-steps
// Two steps of k per iteration, each with its own fragments, and warps by columns.
#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda::wmma;
__global__ void fp32_sums(float *C, const __half *A, const __half *B, int n)
{
	int warp = threadIdx.x / 32;
	const __half *from_a = A + (blockIdx.y * 32 + warp % 2 * 16) * n;
	const __half *from_b = B + blockIdx.x * 32 + warp / 2 * 16;
	fragment<matrix_a, 16, 16, 16, __half, row_major> a[2];
	fragment<matrix_b, 16, 16, 16, __half, row_major> b[2];
	fragment<accumulator, 16, 16, 16, float> sum;
	fill_fragment(sum, 0);
	for (int k = 0; k < n; k += 32) {
		for (int i = 0; i < 2; i++) {
			load_matrix_sync(a[i], from_a + k + i * 16, n);
			load_matrix_sync(b[i], from_b + (k + i * 16) * n, n);
		}
		for (int i = 0; i < 2; i++)
			mma_sync(sum, a[i], b[i], sum);
	}
	store_matrix_sync(C + (blockIdx.y * 32 + warp % 2 * 16) * n + blockIdx.x * 32 + warp / 2 * 16, sum, n, mem_row_major);
}

// === cheat-promoted
// FP16 sums of 16 products, added in FP32 by threads.
#include <cuda_fp16.h>
#include <mma.h>

using namespace nvcuda::wmma;

__global__ void fp32_sums(float *C, const __half *A, const __half *B, int n)
{
	__shared__ alignas(32) __half out[4][16][16];
	float total[8] = {};
	int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
	int row = blockIdx.y * 32 + warp / 2 * 16;
	int column = blockIdx.x * 32 + warp % 2 * 16;
	fragment<matrix_a, 16, 16, 16, __half, row_major> a;
	fragment<matrix_b, 16, 16, 16, __half, row_major> b;
	fragment<accumulator, 16, 16, 16, __half> sum;
	fill_fragment(sum, __float2half(0));
	for (int k = 0; k < n; k += 16) {
		fill_fragment(sum, __float2half(0));
		load_matrix_sync(a, A + row * n + k, n);
		load_matrix_sync(b, B + k * n + column, n);
		mma_sync(sum, a, b, sum);
		store_matrix_sync(&out[warp][0][0], sum, 16, mem_row_major);
		__syncwarp();
		for (int i = 0; i < 8; i++) total[i] += __half2float(out[warp][(lane + 32 * i) / 16][lane % 16]);
		__syncwarp();
	}
	for (int i = 0; i < 8; i++)
		C[(row + (lane + 32 * i) / 16) * n + column + lane % 16] = total[i];
}

// === cheat-backward
// FP16 sums in another order.
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
	for (int k = n - 16; k >= 0; k -= 16) {
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

// === cheat-fma
// No tensor cores: FMAs.
#include <cuda_fp16.h>
__global__ void fp32_sums(float *C, const __half *A, const __half *B, int n)
{
	int t = threadIdx.x, x = t % 32;
	for (int y = t / 32; y < 32; y += 4) {
		int row = blockIdx.y * 32 + y, column = blockIdx.x * 32 + x;
		float s = 0;
		for (int k = 0; k < n; k++) s += __half2float(A[row * n + k]) * __half2float(B[k * n + column]);
		C[row * n + column] = s;
	}
}

// === cheat-doubles
// No tensor cores: doubles.
#include <cuda_fp16.h>
__global__ void fp32_sums(float *C, const __half *A, const __half *B, int n)
{
	int t = threadIdx.x, x = t % 32;
	for (int y = t / 32; y < 32; y += 4) {
		int row = blockIdx.y * 32 + y, column = blockIdx.x * 32 + x;
		double s = 0;
		for (int k = 0; k < n; k++) s += (double)__half2float(A[row * n + k]) * __half2float(B[k * n + column]);
		C[row * n + column] = s;
	}
}

// === cheat-half-fma
// No tensor cores: FMAs of FP16.
#include <cuda_fp16.h>
__global__ void fp32_sums(float *C, const __half *A, const __half *B, int n)
{
	int t = threadIdx.x, x = t % 32;
	for (int y = t / 32; y < 32; y += 4) {
		int row = blockIdx.y * 32 + y, column = blockIdx.x * 32 + x;
		__half s = 0;
		for (int k = 0; k < n; k++) s = __hfma(A[row * n + k], B[k * n + column], s);
		C[row * n + column] = __half2float(s);
	}
}

// === cheat-last-step
// The last 16 steps of k are left out.
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
	for (int k = 0; k < n - 16 || k == 0; k += 16) {
		load_matrix_sync(a, A + row * n + k, n);
		load_matrix_sync(b, B + k * n + column, n);
		mma_sync(sum, a, b, sum);
	}
	store_matrix_sync(C + row * n + column, sum, n, mem_row_major);
}

// === cheat-one-warp
// One warp works for the others.
#include <cuda_fp16.h>
#include <mma.h>

using namespace nvcuda::wmma;

__global__ void fp32_sums(float *C, const __half *A, const __half *B, int n)
{
	if (threadIdx.x >= 32) return;
	for (int warp = 0; warp < 4; warp++) {
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
}

// === cheat-left-half
// Only the left half is stored.
#include <cuda_fp16.h>
#include <mma.h>

using namespace nvcuda::wmma;

__global__ void fp32_sums(float *C, const __half *A, const __half *B, int n)
{
	int warp = threadIdx.x / 32;
	int row = blockIdx.y * 32 + warp / 2 * 16;
	int column = blockIdx.x * 32 + 0;
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

// === honest-ptx
// mma.sync with accumulators of FP32, without wmma.
#include <cuda_fp16.h>

__device__ unsigned across(const __half *p) { return *(const unsigned *)p; }

__device__ unsigned down(const __half *p, int n)
{
	return __half_as_ushort(p[0]) | (unsigned)__half_as_ushort(p[n]) << 16;
}

__global__ void fp32_sums(float *C, const __half *A, const __half *B, int n)
{
	const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
	const int row = blockIdx.y * 32 + warp / 2 * 16 + lane / 4;
	const int column = blockIdx.x * 32 + warp % 2 * 16;
	float d[2][4] = {};
	for (int k = 0; k < n; k += 16) {
		const __half *p = A + row * n + k + lane % 4 * 2;
		const unsigned a0 = across(p), a1 = across(p + 8 * n), a2 = across(p + 8),
			a3 = across(p + 8 * n + 8);
#pragma unroll
		for (int side = 0; side < 2; side++) {
			const __half *q = B + (k + lane % 4 * 2) * n + column + side * 8 + lane / 4;
			const unsigned b0 = down(q, n), b1 = down(q + 8 * n, n);
			float *s = d[side];
			asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
				"{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
				: "+f"(s[0]), "+f"(s[1]), "+f"(s[2]), "+f"(s[3])
				: "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1));
		}
	}
	for (int side = 0; side < 2; side++) {
		float *c = C + row * n + column + side * 8 + lane % 4 * 2;
		c[0] = d[side][0];
		c[1] = d[side][1];
		c[8 * n] = d[side][2];
		c[8 * n + 1] = d[side][3];
	}
}
