// Matrices by nvcuda::wmma.
#include <mma.h>
#include <cuda_bf16.h>
using namespace nvcuda;
template <class A, class D, int M, int N, int K, class LA, class LB, class S>
__device__ void go(const S *a, const S *b, D *d) {
	wmma::fragment<wmma::matrix_a, M, N, K, A, LA> fa;
	wmma::fragment<wmma::matrix_b, M, N, K, A, LB> fb;
	wmma::fragment<wmma::accumulator, M, N, K, D> fc;
	wmma::fill_fragment(fc, (D)0.f);
	wmma::load_matrix_sync(fa, a, K);
	wmma::load_matrix_sync(fb, b, K);
	wmma::load_matrix_sync(fc, d, N, wmma::mem_row_major);
	wmma::mma_sync(fc, fa, fb, fc);
	for (int i = 0; i < fc.num_elements; i++)
		fc.x[i] *= (D)2.f;
	wmma::store_matrix_sync(d, fc, N, wmma::mem_row_major);
	wmma::store_matrix_sync(d + 1024, fc, M, wmma::mem_col_major);
}
extern "C" __global__ void k(half *h, float *f, signed char *c, unsigned char *u, int *i, __nv_bfloat16 *b, double *d) {
	__shared__ half s[256];
	go<half, float, 16, 16, 16, wmma::row_major, wmma::col_major>(h, h + 512, f);
	go<half, half, 16, 16, 16, wmma::col_major, wmma::row_major>(h, h + 512, h + 1024);
	go<half, float, 32, 8, 16, wmma::row_major, wmma::row_major>(h, h + 512, f);
	go<half, float, 8, 32, 16, wmma::row_major, wmma::col_major>(s, s, f);
	go<signed char, int, 16, 16, 16, wmma::row_major, wmma::col_major>(c, c + 512, i);
	go<unsigned char, int, 16, 16, 16, wmma::row_major, wmma::col_major>(u, u + 512, i);
#if __CUDA_ARCH__ >= 800
	go<__nv_bfloat16, float, 16, 16, 16, wmma::row_major, wmma::col_major>(b, b + 512, f);
	go<wmma::precision::tf32, float, 16, 16, 8, wmma::row_major, wmma::col_major>(f, f + 512, f + 1024);
	go<double, double, 8, 8, 4, wmma::row_major, wmma::col_major>(d, d + 64, d + 128);
#endif
}
// Elements smaller than a byte.
template <class T, int K>
__device__ void packed(const void *a, const void *b, int *d) {
	wmma::fragment<wmma::matrix_a, 8, 8, K, T, wmma::row_major> fa;
	wmma::fragment<wmma::matrix_b, 8, 8, K, T, wmma::col_major> fb;
	wmma::fragment<wmma::accumulator, 8, 8, K, int> fc;
	wmma::load_matrix_sync(fa, (const T *)a, K);
	wmma::load_matrix_sync(fb, (const T *)b, K);
	wmma::load_matrix_sync(fc, d, 8, wmma::mem_row_major);
	if constexpr (K == 128) {
		wmma::bmma_sync(fc, fa, fb, fc);
#if __CUDA_ARCH__ >= 800
		wmma::bmma_sync(fc, fa, fb, fc, wmma::experimental::bmmaBitOpAND);
#endif
	} else {
		wmma::mma_sync(fc, fa, fb, fc);
		wmma::mma_sync(fc, fa, fb, fc, true);
	}
	wmma::store_matrix_sync(d, fc, 8, wmma::mem_col_major);
}
extern "C" __global__ void small(const void *a, int *d) {
	__shared__ int s[64];
	packed<wmma::experimental::precision::s4, 32>(a, a, d);
	packed<wmma::experimental::precision::u4, 32>(s, s, d);
	packed<wmma::experimental::precision::b1, 128>(a, s, d);
}
