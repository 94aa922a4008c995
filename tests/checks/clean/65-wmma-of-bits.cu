// @kernel distances
// @grid 2
// @block 32
// @buffer d i32 128 poison
// @buffer a u32 64 i * 2654435761 % 4294967296
// @buffer b u32 64 i * 40503 + 7
// @arg d
// @arg a
// @arg b
// @reference hamming
/* Rows of 128 bits against rows of 128 bits: in how many bits they differ. */
#include <mma.h>
using namespace nvcuda;
using Bit = wmma::experimental::precision::b1;
__global__ void distances(int *d, const unsigned *a, const unsigned *b)
{
	__shared__ alignas(32) unsigned tile[32];
	wmma::fragment<wmma::matrix_a, 8, 8, 128, Bit, wmma::row_major> x;
	wmma::fragment<wmma::matrix_b, 8, 8, 128, Bit, wmma::col_major> y;
	wmma::fragment<wmma::accumulator, 8, 8, 128, int> sum;
	tile[threadIdx.x] = a[32 * blockIdx.x + threadIdx.x];
	__syncthreads();
	wmma::fill_fragment(sum, 0);
	wmma::load_matrix_sync(x, (const Bit *)tile, 128);
	wmma::load_matrix_sync(y, (const Bit *)(b + 32 * blockIdx.x), 128);
	wmma::bmma_sync(sum, x, y, sum);
	wmma::store_matrix_sync(d + 64 * blockIdx.x, sum, 8, wmma::mem_row_major);
}
